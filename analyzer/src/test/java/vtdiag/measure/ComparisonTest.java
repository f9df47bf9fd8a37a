package vtdiag.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  private static final long MILLI = 1_000_000;

  private static Plan plan(Load load) {
    JavaCommand command = new JavaCommand("java", List.of(), List.of("Main"));
    return new Plan(
        command,
        command,
        List.of("--java-options-after -Dx"),
        new Plan.Measure.Http(URI.create("http://localhost/"), load, 1, 1, 1, 0),
        2,
        0,
        Optional.of(new Plan.Agent(Path.of("vtdiag.jar"), Optional.empty())));
  }

  private static Run run(Side side, double perSecond, long p99Millis, Run.Pins pins, Peak peak) {
    return new Run(
        side,
        perSecond,
        Optional.of(
            new Run.Requests(
                100, 0, 0, new Latency(MILLI, p99Millis * MILLI, p99Millis * MILLI, p99Millis))),
        Optional.ofNullable(pins),
        Optional.ofNullable(peak));
  }

  /** In the order A B B A: a tenth of the p99 at the same throughput. */
  private static List<Run> lessLatency() {
    Run.Pins pins = new Run.Pins("21", 3, 30, 100);
    return List.of(
        run(Side.BEFORE, 100, 50, pins, new Peak(10, 7)),
        run(Side.AFTER, 100, 5, pins, null),
        run(Side.AFTER, 100, 8, null, null),
        run(Side.BEFORE, 100, 80, pins, new Peak(9, 8)));
  }

  @Test
  void aClosedLoopIsJudgedByItsThroughput() {
    Comparison closed =
        Comparison.of(plan(new Load.Closed(1)), lessLatency(), OptionalDouble.of(1_000), List.of());
    assertEquals("throughput", closed.decisive().name());
    assertEquals(Verdict.NO_DIFFERENCE, closed.verdict());
    assertEquals(List.of(), closed.warnings());
  }

  @Test
  void anOpenLoopIsJudgedByItsP99() {
    Comparison open =
        Comparison.of(plan(new Load.Open(100)), lessLatency(), OptionalDouble.of(1_000), List.of());
    assertEquals("p99", open.decisive().name());
    // The first run of a side belongs to the first of the other: 50 to 5 and 80 to 8, not 80 to 5.
    assertEquals(0.1, open.decisive().ratio().low(), 1e-9);
    assertEquals(0.1, open.decisive().ratio().high(), 1e-9);
    assertEquals(Verdict.FASTER, open.verdict());
  }

  @Test
  void aLoadGeneratorAtItsLimitIsToldOf() {
    Comparison near =
        Comparison.of(plan(new Load.Closed(1)), lessLatency(), OptionalDouble.of(150), List.of());
    assertTrue(near.warnings().getFirst().contains("ceiling"), near::toString);
  }

  @Test
  void whatIsNotKnownOfOneRunIsNotKnownOfItsSide() {
    Comparison comparison =
        Comparison.of(plan(new Load.Closed(1)), lessLatency(), OptionalDouble.empty(), List.of());
    assertEquals(Optional.of(new Run.Pins("21", 6, 60, 200)), comparison.pins(Side.BEFORE));
    assertEquals(Optional.empty(), comparison.pins(Side.AFTER));
    assertEquals(Optional.of(new Peak(10, 8)), comparison.peak(Side.BEFORE));
    assertEquals(Optional.empty(), comparison.peak(Side.AFTER));
  }
}
