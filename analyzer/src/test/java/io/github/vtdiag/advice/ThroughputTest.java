package io.github.vtdiag.advice;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The model, held against what was measured on two carriers. */
final class ThroughputTest {
  private static final LocksSeen OWN = new LocksSeen(Sharing.OWN_OBJECTS, 9, false);
  private static final OptionalDouble NOT_KNOWN = OptionalDouble.empty();

  /** Ten seconds, two carriers, all pins of one finding and all of them freed. */
  private static Throughput of(
      int threads, double atATime, OptionalDouble waiting, double perSecond, double holdMillis) {
    long passes = Math.round(perSecond * 10);
    long pinned = Math.round(passes * holdMillis * MILLI);
    return new Throughput(
        2, threads, atATime, waiting, passes, pinned, pinned, pinned, 10 * SECOND, 0);
  }

  /** All threads are there all the time, and those that have no carrier wait for one. */
  private static Throughput of(int threads, double perSecond, double holdMillis) {
    return of(threads, threads, OptionalDouble.of(threads - 2), perSecond, holdMillis);
  }

  private static Prediction.Range range(Throughput throughput, LocksSeen locks) {
    return assertInstanceOf(Prediction.Range.class, throughput.predict(locks));
  }

  private static void assertNone(Throughput throughput, String why) {
    Prediction.None none = assertInstanceOf(Prediction.None.class, throughput.predict(OWN));
    assertTrue(none.why().contains(why), none::why);
  }

  @Test
  void nothingIsPredictedWhereTheRecordingDoesNotTell() {
    assertNone(of(500, 2, 10), "too few pins");
    assertNone(of(500, 50, 10), "the model needs all carriers blocked");
    assertNone(of(500, 400, 10), "more carriers were blocked");
    long all = 19 * SECOND;
    assertNone(
        new Throughput(2, 500, 500, NOT_KNOWN, 1_930, all, all, all, 10 * SECOND, 6 * MILLI),
        "the threshold hid");
    long most = 15 * SECOND;
    assertNone(
        new Throughput(2, 500, 500, NOT_KNOWN, 1_500, most, all, most, 10 * SECOND, 0),
        "other pins");
  }

  /** A thread for each request: the load may be all there is. */
  @Test
  void threadsThatComeOnceAreAsManyAsWaitForACarrier() {
    assertNone(of(1_930, 2, NOT_KNOWN, 193, 10), "came once");
    assertNone(of(1_930, 2, OptionalDouble.of(0.4), 193, 10), "came once");
    Prediction.Range range = range(of(1_930, 1.9, OptionalDouble.of(62), 193, 10), OWN);
    assertEquals(64 / 0.01, range.most(), 1e-6);
    assertEquals(range.now(), range.least(), range.now() * 0.1);
    assertTrue(range.assumption().startsWith("as many requests come as there are now, with none"));
    assertTrue(range.assumption().contains("wide because it is not known whether the others"));
  }

  /** Each request passes twice, so that its thread came back. */
  @Test
  void threadsThatSoonEndDoNotAddUp() {
    Prediction.Range range = range(of(900, 1.9, OptionalDouble.of(62), 193, 10), OWN);
    assertEquals(64 / 0.01, range.most(), 1e-6);
    assertEquals(range.now(), range.least(), range.now() * 0.1);
  }

  /** Two threads that never leave their carriers, and 498 that never get one. */
  @Test
  void whoWaitedForACarrierMayComeToo() {
    Prediction.Range range = range(of(2, 2, OptionalDouble.of(498), 182, 10.44), OWN);
    assertEquals(182, range.least(), 10);
    assertEquals(47_900, range.most(), 100);
    assertTrue(range.assumption().contains("none to all of 498 others that waited"));
    assertNone(of(2, 2, NOT_KNOWN, 182, 10.44), "how many waited is not known");
  }

  /** 500 threads that are a second elsewhere after each pass of 10 ms: 195/s, then 495/s. */
  @Test
  void threadsThatAreElsewhereWaitThereOrStayAway() {
    // In ten seconds each passes four times, and so is seen from its first to its last for 7.7 s.
    Prediction.Range range = range(of(500, 385, OptionalDouble.of(303), 195, 10), OWN);
    assertTrue(range.least() > 400 && range.least() <= 495, range::toString);
    assertEquals(305 / 0.01, range.most(), 1e-6);
    assertTrue(range.assumption().contains("wide because the threads are 1 s elsewhere"));
    // In half the time hardly any comes back.
    Prediction.Range brief = range(of(1_000, 385, OptionalDouble.of(303), 195, 10), OWN);
    assertEquals(brief.now(), brief.least(), brief.now() * 0.1);
    // Nobody waits for a carrier: they are not what limits.
    Prediction.Range pool = range(of(64, 64, OptionalDouble.of(0), 78, 25), OWN);
    assertEquals(pool.now(), pool.most(), pool.now() * 0.05);
  }

  @ParameterizedTest
  @EnumSource(names = {"SOME_SHARED", "CONTENDED", "BORROWED"})
  void anUnknownNumberOfLocksGivesNoRange(Sharing sharing) {
    assertInstanceOf(
        Prediction.None.class, of(500, 193, 10).predict(new LocksSeen(sharing, 2, false)));
  }

  /** The workloads of which before and after were measured; own locks each. */
  @ParameterizedTest
  @CsvSource({"500,193,10,4966,41606", "200,194,10,4887,18600"})
  void whatWasMeasuredLiesInTheRange(
      int threads, double before, double hold, double least, double after) {
    Prediction.Range range = range(of(threads, before, hold), OWN);
    assertEquals(before, range.now(), 0.1);
    assertEquals(least, range.least(), 1);
    assertTrue(range.least() <= after && after <= range.most(), range::toString);
    assertEquals(threads / hold * 1_000, range.most(), 1);
  }

  @Test
  void aWideRangeSaysWhy() {
    Prediction.Range wide = range(of(500, 193, 10), OWN);
    assertTrue(wide.most() > 10 * wide.least(), wide::toString);
    assertTrue(wide.assumption().contains("; the range is wide because the 3.5% of"));
    Prediction.Range narrow = range(of(200, 194, 10), OWN);
    assertTrue(narrow.most() < 10 * narrow.least(), narrow::toString);
    assertTrue(narrow.assumption().endsWith("no new limit appears"), narrow::assumption);
  }

  /** 64 users of a pool of ten, 25 ms a query: 78 a second before and 395 after. */
  @ParameterizedTest
  @CsvSource({"2,false", "5,false", "10,true"})
  void aPoolIsBoundByItsLocks(int seen, boolean takeTurns) {
    Prediction.Range range = range(of(64, 78, 25), new LocksSeen(Sharing.POOL, seen, takeTurns));
    assertTrue(range.least() <= 395 && 395 <= range.most(), range::toString);
    assertEquals(takeTurns ? 10 / 0.025 : 64 / 0.025, range.most(), 1e-6);
    assertEquals(takeTurns, range.most() < 10 * range.least());
    assertEquals(!takeTurns, range.assumption().contains("the range is wide because"));
    if (!takeTurns) {
      assertTrue(range.assumption().contains("10 of them 400/s"), range::assumption);
    }
  }

  /** 200 threads on one lock: 477 a second before and 468 after. */
  @Test
  void oneSharedLockStaysAsItIs() {
    // One carrier is held by the thread in the lock, the other by one that waits to enter.
    long passes = 4_770;
    long held = passes * 2_090_000;
    Throughput hot =
        new Throughput(2, 200, 200, NOT_KNOWN, passes, held, 2 * held, 2 * held, 10 * SECOND, 0);
    Prediction.Range range = range(hot, new LocksSeen(Sharing.ONE_OBJECT, 1, false));
    assertEquals(477, range.now(), 0.1);
    assertEquals(range.now(), range.least(), range.now() * 0.02);
    assertEquals(range.now(), range.most(), range.now() * 0.02);
  }

  @Test
  void withoutSamplesTheRangeGoesFromOneLockToOneEach() {
    Prediction.Range range = range(of(500, 193, 10), new LocksSeen(Sharing.NOT_SAMPLED, 1, false));
    assertEquals(range.now(), range.least());
    assertEquals(50_000, range.most(), 1);
    assertTrue(range.assumption().endsWith("wide because no lock objects were sampled"));
  }
}
