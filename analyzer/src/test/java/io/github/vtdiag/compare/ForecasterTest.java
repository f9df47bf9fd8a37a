package io.github.vtdiag.compare;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against the classes of this test, so that the ladder has something to read. */
final class ForecasterTest {
  private static final Plan.Source PRINTED =
      new Plan.Source.Printed(List.of(new Plan.Source.Printed.Told("all", Optional.empty())), 1);

  private final Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
  private final Frame hold = frame("whatif.OwnLocks$Own", "hold", 3, 20);

  private static JavaCommand command(String java, String... options) {
    return new JavaCommand(
        java,
        List.of(options),
        List.of("-cp", Path.of("target", "test-classes").toString(), "whatif.OwnLocks"));
  }

  private static Forecaster forecaster(
      JavaCommand after, Optional<String> whatIf, Plan.Source source) {
    return new Forecaster(
        new Plan(
            command("java"),
            after,
            List.of("a change"),
            source,
            2,
            0,
            Optional.of(new Plan.Agent(Path.of("vtdiag.jar"), whatIf))));
  }

  private static Forecaster whatIf(String value) {
    return forecaster(command("java"), Optional.of(value), PRINTED);
  }

  /** Both carriers are pinned all the time: ten threads, each with a lock of its own. */
  private Findings saturated(int pins) {
    Pins all = new Pins().owner(hold.type().name(), new Owner.Application("classes"));
    for (int i = 0; i < pins; i++) {
      all.pin(i % 10, 2_000, stack(park, hold), method(1, hold)).sampled(i % 10);
    }
    return all.findings();
  }

  private static String none(Forecaster forecaster, int jdkAfter, Findings... findings) {
    for (Findings each : findings) {
      forecaster.add(each);
    }
    return assertInstanceOf(Forecast.None.class, forecaster.forecast(jdkAfter).orElseThrow()).why();
  }

  @Test
  void nothingIsPredictedOfNothing() {
    assertEquals(Optional.empty(), whatIf("auto").forecast(21));
    assertEquals("no virtual thread was pinned", none(whatIf("auto"), 21, new Pins().findings()));
  }

  @Test
  void ofTooFewPinsTheAdviceItselfSaysSo() {
    assertEquals(
        "too few pins were recorded to tell a rate", none(whatIf("auto"), 21, saturated(20)));
  }

  @Test
  void oneRunWithoutAPredictionIsEnoughForNone() {
    assertTrue(none(whatIf("auto"), 21, saturated(60), saturated(20)).startsWith("too few"));
    assertTrue(none(whatIf("auto"), 21, saturated(20), saturated(60)).startsWith("too few"));
  }

  @Test
  void whatTheAdviceDoesNotLookAtIsNotPredicted() {
    String other = "only a what-if, or the step to Java 24 or later, can be predicted";
    for (Forecaster each :
        List.of(
            forecaster(command("java", "-Dx"), Optional.empty(), PRINTED),
            forecaster(command("java", "-Dx"), Optional.of("auto"), PRINTED),
            forecaster(command("/opt/jdk/bin/java"), Optional.of("auto"), PRINTED),
            whatIf("concurrenthashmap"))) {
      assertTrue(none(each, 25, saturated(60)).startsWith(other));
    }
  }

  @Test
  void theThroughputOfAnOpenLoopIsNotPredicted() {
    Plan.Source open = new Plan.Source.Http(List.of(), new Load.Open(5), 1, false, 1, 1, 0);
    assertEquals(
        "an open loop fixes the throughput",
        none(forecaster(command("java"), Optional.of("auto"), open), 21, saturated(60)));
  }

  @Test
  void aJavaOnWhichMonitorsPinFreesNothing() {
    Forecaster upgrade = forecaster(command("/opt/jdk/bin/java"), Optional.empty(), PRINTED);
    assertTrue(none(upgrade, 23, saturated(60)).startsWith("only the step to Java 24"));
    assertInstanceOf(Forecast.Times.class, upgrade.forecast(24).orElseThrow());
  }

  @Test
  void aLockThatCannotMoveHasNoPrediction() {
    Frame unknown = frame("com.example.NotThere", "hold", 3, 20);
    Pins pins = new Pins();
    for (int i = 0; i < 60; i++) {
      pins.pin(i % 10, 2_000, stack(park, unknown), method(1, unknown));
    }
    String why = none(whatIf("com.example.*"), 21, pins.findings());
    assertTrue(why.startsWith("the advice for com.example.NotThere.hold is not a rewrite: "), why);
    assertEquals(why, none(whatIf("auto:!com.example.NotThere"), 21, pins.findings()));
    // With auto it moves, whatever a patch could do.
    Forecaster auto = whatIf("auto");
    auto.add(pins.findings());
    assertInstanceOf(Forecast.Times.class, auto.forecast(21).orElseThrow());
  }

  @Test
  void whatTheJdkLocksStaysAlsoWhereEverythingElseMoves() {
    Frame kept = frame("whatif.OwnLocks$Kept", "hold", 3, 20);
    Pins pins = new Pins();
    for (int i = 0; i < 60; i++) {
      pins.pin(i % 10, 2_000, stack(park, kept), method(1, kept));
    }
    String why = none(whatIf("auto"), 21, pins.findings());
    assertTrue(why.startsWith("the advice for whatif.OwnLocks$Kept"), why);
  }

  /** Ten threads that each wait 2 s: at most 5 passes a second, where there is one now. */
  @Test
  void aRewriteIsPredictedFromTheRunsAsTheyAre() {
    Forecaster forecaster = whatIf("auto");
    forecaster.add(saturated(60));
    Forecast.Times times =
        assertInstanceOf(Forecast.Times.class, forecaster.forecast(21).orElseThrow());
    assertEquals("whatif.OwnLocks$Own.hold", times.place());
    assertEquals(5 * 61.0 / 60, times.most(), 1e-9);
    assertTrue(times.least() > 1 && times.least() < times.most(), times::toString);
    // Of a further run it is the range of both.
    forecaster.add(saturated(40));
    Forecast.Times both =
        assertInstanceOf(Forecast.Times.class, forecaster.forecast(21).orElseThrow());
    assertEquals(5 * 41.0 / 40, both.most(), 1e-9);
    assertTrue(both.least() <= times.least(), both::toString);
  }

  /** The advice would be another version of it; the what-if rewrites it as it is. */
  @Test
  void aLibraryIsRewrittenLikeAllElse() {
    Coordinates library = new Coordinates("com.example", "lib", "1.0");
    Pins pins = new Pins().owner(hold.type().name(), new Owner.Library(library, "lib-1.0.jar"));
    for (int i = 0; i < 60; i++) {
      pins.pin(i % 10, 2_000, stack(park, hold), method(1, hold)).sampled(i % 10);
    }
    Forecaster forecaster = whatIf("auto");
    forecaster.add(pins.findings());
    assertInstanceOf(Forecast.Times.class, forecaster.forecast(21).orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({
    "1, 11.9, false, true",
    "1, 12, true, false",
    "20, 30, true, false",
    "40, 50, true, false",
    "40.1, 50, false, false"
  })
  void aPredictionOverlapsOrNot(double low, double high, boolean overlaps, boolean above) {
    Forecast.Times times = new Forecast.Times("here", "if", 12, 40, "so");
    Ratio ratio = new Ratio(OptionalDouble.empty(), low, high);
    assertEquals(overlaps, times.overlaps(ratio));
    assertEquals(above, times.isAbove(ratio));
    assertEquals(!overlaps && !above, times.isBelow(ratio));
    assertFalse(times.isAbove(new Ratio(OptionalDouble.empty(), 0, Double.POSITIVE_INFINITY)));
  }
}
