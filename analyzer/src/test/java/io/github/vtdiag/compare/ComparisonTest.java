package io.github.vtdiag.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.compare.Comparison.Measure;
import io.github.vtdiag.compare.Run.Measured;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ComparisonTest {
  private static final long MILLI = 1_000_000;

  private static Plan plan(Load load, Optional<String> whatIf, String... names) {
    JavaCommand command = new JavaCommand("java", List.of(), List.of("Main"));
    return new Plan(
        command,
        command,
        List.of("--java-options-after -Dx"),
        new Plan.Source.Http(
            Stream.of(names)
                .map(name -> new Plan.Source.Http.Target(name, URI.create("http://localhost/")))
                .toList(),
            load,
            1,
            false,
            1,
            1,
            0),
        2,
        0,
        Optional.of(new Plan.Agent(Path.of("vtdiag.jar"), whatIf)));
  }

  private static Comparison compare(Load load, List<Run> runs, double ceiling) {
    return Comparison.of(
        plan(load, Optional.empty(), "all"),
        runs,
        Optional.empty(),
        OptionalDouble.of(ceiling),
        List.of());
  }

  private static Measured measured(String name, double perSecond, Optional<Latency> latency) {
    return new Measured(
        name, new Rate(perSecond, 0.1), Optional.of(new Run.Requests(100, 0, 0, latency)));
  }

  private static Run run(Side side, Run.Pins pins, Peak peak, Measured... measured) {
    return new Run(
        side,
        List.of(measured),
        Optional.ofNullable(pins),
        Optional.ofNullable(peak),
        OptionalLong.empty());
  }

  private static Measured answers(double perSecond, long p99Millis) {
    return answers("all", perSecond, p99Millis);
  }

  private static Measured answers(String name, double perSecond, long p99Millis) {
    return measured(
        name,
        perSecond,
        Optional.of(
            new Latency(
                MILLI, MILLI, MILLI, MILLI, p99Millis * MILLI, p99Millis * MILLI, p99Millis)));
  }

  /** In the order A B B A: a tenth of the p99 at the same throughput. */
  private static List<Run> lessLatency() {
    Run.Pins pins = new Run.Pins("21", 3, 30, 100);
    return List.of(
        run(Side.BEFORE, pins, new Peak(10, 7), answers(100, 50)),
        run(Side.AFTER, pins, null, answers(100, 5)),
        run(Side.AFTER, null, null, answers(100, 8)),
        run(Side.BEFORE, pins, new Peak(9, 8), answers(100, 80)));
  }

  @Test
  void aClosedLoopIsJudgedByItsThroughput() {
    Comparison closed = compare(new Load.Closed(1), lessLatency(), 1_000);
    Measure measure = closed.measures().getFirst();
    assertEquals("throughput", measure.decisive().name());
    assertEquals(SpeedVerdict.NO_DIFFERENCE, measure.verdict());
    assertEquals(List.of(), closed.warnings());
  }

  @Test
  void anOpenLoopIsJudgedByItsP99() {
    Measure open = compare(new Load.Open(100), lessLatency(), 1_000).measures().getFirst();
    assertEquals("p99", open.decisive().name());
    // The first run of a side belongs to the first of the other: 50 to 5 and 80 to 8, not 80 to 5.
    assertEquals(0.1, open.decisive().ratio().low(), 1e-9);
    assertEquals(0.1, open.decisive().ratio().high(), 1e-9);
    assertEquals(SpeedVerdict.FASTER, open.verdict());
  }

  @Test
  void aLoadGeneratorAtItsLimitIsToldOf() {
    Comparison near = compare(new Load.Closed(1), lessLatency(), 150);
    assertTrue(near.warnings().getFirst().contains("close to its own limit"), near::toString);
  }

  @Test
  void whatIsNotKnownOfOneRunIsNotKnownOfItsSide() {
    Comparison comparison = compare(new Load.Closed(1), lessLatency(), 1_000);
    assertEquals(Optional.of(new Run.Pins("21", 6, 60, 200)), comparison.pins(Side.BEFORE));
    assertEquals(Optional.empty(), comparison.pins(Side.AFTER));
    assertEquals(Optional.of(new Peak(10, 8)), comparison.peak(Side.BEFORE));
    assertEquals(Optional.empty(), comparison.peak(Side.AFTER));
    assertEquals(OptionalLong.empty(), comparison.peakHeapBytes(Side.BEFORE));
  }

  /** One hot lock: its path stays as it is, the starved one is freed. */
  @Test
  void eachMeasureHasItsOwnVerdict() {
    Measured shared = answers("shared", 98, 500);
    Measured starved = measured("unrelated", 0, Optional.empty());
    Measured freed = answers("unrelated", 19_596, 2);
    Comparison comparison =
        Comparison.of(
            plan(new Load.Closed(1), Optional.empty(), "shared", "unrelated"),
            List.of(
                run(Side.BEFORE, null, null, shared, starved),
                run(Side.AFTER, null, null, shared, freed),
                run(Side.AFTER, null, null, shared, freed),
                run(Side.BEFORE, null, null, shared, starved)),
            Optional.empty(),
            OptionalDouble.of(39_000),
            List.of());
    assertEquals(
        List.of("shared", "unrelated"), comparison.measures().stream().map(Measure::name).toList());
    Measure unrelated = comparison.measures().get(1);
    assertEquals(SpeedVerdict.NO_DIFFERENCE, comparison.measures().getFirst().verdict());
    assertEquals(SpeedVerdict.FASTER, unrelated.verdict());
    assertEquals(0, unrelated.throughput().before());
    assertEquals(19_596, unrelated.throughput().after(), 1e-6);
    assertEquals(195_960, unrelated.throughput().ratio().low(), 1e-6);
    assertEquals(List.of(), unrelated.latencies());
    // The generator sent the requests of both.
    assertEquals(1, comparison.warnings().size());
  }

  @ParameterizedTest
  @CsvSource({
    "25.0.3, 25.0.3, 100, true",
    "24, 25.0.3, 100, true",
    "25.0.3, 25.0.3, 900, true",
    "21.0.8, 25.0.3, 100, false",
    "25.0.3, 21.0.8, 100, false",
    "25.0.3, '', 100, false"
  })
  void onlyWhereMonitorsDoNotPinAWhatIfHasNoPinsToRemove(
      String before, String after, double perSecondAfter, boolean nothing) {
    Run one = run(Side.BEFORE, new Run.Pins(before, 0, 0, 1), null, answers(100, 1));
    Run other = run(Side.AFTER, new Run.Pins(after, 0, 0, 1), null, answers(perSecondAfter, 1));
    for (Optional<String> whatIf : List.of(Optional.of("auto"), Optional.<String>empty())) {
      Comparison comparison =
          Comparison.of(
              plan(new Load.Closed(1), whatIf, "all"),
              List.of(one, other, other, one),
              Optional.empty(),
              OptionalDouble.empty(),
              List.of());
      assertEquals(nothing && whatIf.isPresent(), comparison.isWhatIfWithoutPins());
    }
    assertFalse(compare(new Load.Closed(1), lessLatency(), 1).isWhatIfWithoutPins());
  }
}
