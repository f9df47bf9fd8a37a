package vtdiag.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vtdiag.analysis.Pins.MILLI;
import static vtdiag.analysis.Pins.SECOND;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The model, held against what was measured on two carriers. */
final class ThroughputTest {

  /** Ten seconds, two carriers, all pins of one finding and all of them freed. */
  private static Throughput of(int threads, double perSecond, double holdMillis) {
    long passes = Math.round(perSecond * 10);
    long pinned = Math.round(passes * holdMillis * MILLI);
    return new Throughput(
        2, threads, OptionalDouble.of(0), passes, pinned, pinned, pinned, 10 * SECOND, 0);
  }

  private static void assertNone(Throughput throughput, String why) {
    Prediction.None none =
        assertInstanceOf(Prediction.None.class, throughput.predict(Sharing.OWN_OBJECTS));
    assertTrue(none.why().contains(why), none::why);
  }

  @Test
  void nothingIsPredictedWhereTheRecordingDoesNotTell() {
    assertNone(of(500, 2, 10), "too few pins");
    assertNone(of(500, 50, 10), "did not limit");
    assertNone(of(500, 400, 10), "more carriers were blocked");
    assertNone(of(1_930, 193, 10), "came once");
    Throughput hidden =
        new Throughput(
            2,
            500,
            OptionalDouble.of(0),
            1_930,
            19 * SECOND,
            19 * SECOND,
            19 * SECOND,
            10 * SECOND,
            6 * MILLI);
    assertNone(hidden, "the threshold hid");
    Throughput othersStay =
        new Throughput(
            2,
            500,
            OptionalDouble.of(0),
            1_500,
            15 * SECOND,
            19 * SECOND,
            15 * SECOND,
            10 * SECOND,
            0);
    assertNone(othersStay, "other pins");
  }

  /** Two threads that never leave their carriers, and 498 that never get one. */
  @Test
  void whoWaitedForACarrierMayComeToo() {
    Throughput known =
        new Throughput(
            2,
            2,
            OptionalDouble.of(498),
            1_820,
            19 * SECOND,
            19 * SECOND,
            19 * SECOND,
            10 * SECOND,
            0);
    Prediction.Range range =
        assertInstanceOf(Prediction.Range.class, known.predict(Sharing.OWN_OBJECTS));
    assertEquals(182, range.least(), 10);
    assertEquals(47_900, range.most(), 100);
    assertTrue(range.assumption().contains("none to all of 498 others that waited"));
    // Those that waited may be those that passed.
    Throughput same =
        new Throughput(
            2,
            64,
            OptionalDouble.of(42),
            1_820,
            19 * SECOND,
            19 * SECOND,
            19 * SECOND,
            10 * SECOND,
            0);
    assertEquals(
        64 / (19.0 / 1_820),
        assertInstanceOf(Prediction.Range.class, same.predict(Sharing.OWN_OBJECTS)).most(),
        1e-6);
    Throughput notKnown =
        new Throughput(
            2,
            2,
            OptionalDouble.empty(),
            1_820,
            19 * SECOND,
            19 * SECOND,
            19 * SECOND,
            10 * SECOND,
            0);
    assertNone(notKnown, "how many waited is not known");
  }

  @ParameterizedTest
  @EnumSource(names = {"SOME_SHARED", "CONTENDED"})
  void anUnknownNumberOfLocksGivesNoRange(Sharing sharing) {
    assertInstanceOf(Prediction.None.class, of(500, 193, 10).predict(sharing));
  }

  /** The workloads of which before and after were measured; own locks each. */
  @ParameterizedTest
  @CsvSource({"500,193,10,4966,41606", "200,194,10,4887,18600"})
  void whatWasMeasuredLiesInTheRange(
      int threads, double before, double hold, double least, double after) {
    Prediction.Range range =
        assertInstanceOf(
            Prediction.Range.class, of(threads, before, hold).predict(Sharing.OWN_OBJECTS));
    assertEquals(before, range.now(), 0.1);
    assertEquals(least, range.least(), 1);
    assertTrue(range.least() <= after && after <= range.most(), range::toString);
    assertEquals(threads / hold * 1_000, range.most(), 1);
  }

  /** 200 threads on one lock: 477 a second before and 468 after. */
  @Test
  void oneSharedLockStaysAsItIs() {
    // One carrier is held by the thread in the lock, the other by one that waits to enter.
    long passes = 4_770;
    long held = passes * 2_090_000;
    Throughput hot =
        new Throughput(
            2, 200, OptionalDouble.of(0), passes, held, 2 * held, 2 * held, 10 * SECOND, 0);
    Prediction.Range range =
        assertInstanceOf(Prediction.Range.class, hot.predict(Sharing.ONE_OBJECT));
    assertEquals(477, range.now(), 0.1);
    assertEquals(range.now(), range.least(), range.now() * 0.02);
    assertEquals(range.now(), range.most(), range.now() * 0.02);
  }

  @Test
  void withoutSamplesTheRangeGoesFromOneLockToOneEach() {
    Prediction.Range range =
        assertInstanceOf(Prediction.Range.class, of(500, 193, 10).predict(Sharing.NOT_SAMPLED));
    assertEquals(range.now(), range.least());
    assertEquals(50_000, range.most(), 1);
  }
}
