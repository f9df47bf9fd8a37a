package io.github.vtdiag.advice;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.LocksSeen.Entering;
import io.github.vtdiag.analysis.LockObjects;
import io.github.vtdiag.analysis.Overlap;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.Events;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** One lock, a pool or a lock for each: from single figures, and from recordings made by hand. */
final class LocksSeenTest {
  private final Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
  private final Frame query =
      new Frame(
          frame("com.example.Session", "query", 3, 10).type(),
          "query",
          "()V",
          0x20,
          3,
          10,
          Frame.Kind.COMPILED);
  private final Frame entry =
      new Frame(query.type(), "query", "()V", 0x20, 0, 10, Frame.Kind.COMPILED);

  private static LocksSeen seen(
      LockObjects objects, int pinsAtOnce, double atATime, Entering entering) {
    return LocksSeen.of(
        Optional.of(objects),
        pinsAtOnce == 0 ? Optional.empty() : Optional.of(new Overlap(pinsAtOnce, 60)),
        atATime,
        400,
        2,
        entering);
  }

  private static LocksSeen notSampled(
      int pinsAtOnce, long passes, int carriers, Entering entering) {
    return LocksSeen.of(
        Optional.empty(), Optional.of(new Overlap(pinsAtOnce, 60)), 1, passes, carriers, entering);
  }

  /** pgjdbc behind a pool of ten: most of the sampled threads had one and the same connection. */
  @Test
  void whatTwoThreadsHoldAtOnceIsNotOneLock() {
    LockObjects pool = new LockObjects(99, 2, 36, 21, 2, 46);
    assertEquals(new LocksSeen(Sharing.POOL, 2, false), seen(pool, 2, 1.95, Entering.NOBODY));
    // Only one of the two was sampled.
    LockObjects one = new LockObjects(12, 1, 10, 10, 1, 12);
    assertEquals(new LocksSeen(Sharing.POOL, 2, false), seen(one, 2, 1.95, Entering.NOBODY));
  }

  @Test
  void whoWaitsToEnterIsInNoPool() {
    LockObjects striped = new LockObjects(99, 8, 36, 9, 8, 10);
    assertEquals(Sharing.SOME_SHARED, seen(striped, 2, 1.6, Entering.SOME).sharing());
    // One lock for all, and some that hardly anybody has.
    LockObjects hot = new LockObjects(99, 3, 36, 34, 3, 1);
    assertEquals(Sharing.ONE_OBJECT, seen(hot, 2, 1.02, Entering.SOME).sharing());
    assertEquals(Sharing.SOME_SHARED, seen(hot, 2, 1.4, Entering.SOME).sharing());
  }

  @Test
  void withoutContendedEntriesItIsNotKnownWhetherTheyTakeTurns() {
    LockObjects shared = new LockObjects(99, 2, 36, 21, 2, 46);
    assertEquals(Sharing.SOME_SHARED, seen(shared, 2, 1.95, Entering.NOT_RECORDED).sharing());
  }

  @ParameterizedTest
  @EnumSource
  void oneObjectNeverTwiceAtOnceIsOneLock(Entering entering) {
    LockObjects one = new LockObjects(30, 1, 30, 30, 1, 30);
    assertEquals(new LocksSeen(Sharing.ONE_OBJECT, 1, false), seen(one, 1, 0.99, entering));
  }

  /** Each has a connection of its own, and all go through one lock around them. */
  @Test
  void anOuterLockIsOneLockToo() {
    LockObjects inner = new LockObjects(30, 30, 30, 1, 0, 1);
    assertEquals(Sharing.ONE_OBJECT, seen(inner, 1, 0.99, Entering.SOME).sharing());
    assertEquals(Sharing.OWN_OBJECTS, seen(inner, 2, 1.95, Entering.NOBODY).sharing());
  }

  @Test
  void withoutSamplesThePinsThemselvesTellSome() {
    assertEquals(Sharing.NOT_SAMPLED, notSampled(1, 400, 2, Entering.NOBODY).sharing());
    assertEquals(Sharing.NOT_SAMPLED, notSampled(2, 400, 2, Entering.NOT_RECORDED).sharing());
    assertEquals(Sharing.ONE_OBJECT, notSampled(1, 400, 2, Entering.SOME).sharing());
    assertEquals(Sharing.CONTENDED, notSampled(2, 400, 2, Entering.SOME).sharing());
    // Too few, or no second carrier: nothing could have overlapped.
    assertEquals(Sharing.CONTENDED, notSampled(1, 5, 2, Entering.SOME).sharing());
    assertEquals(Sharing.CONTENDED, notSampled(1, 400, 1, Entering.SOME).sharing());
  }

  @ParameterizedTest
  @CsvSource({
    // So many objects, evenly used: the pool hands them out in turn.
    "100, 10, 8, true",
    "100, 10, 4, true",
    // One was seen once only; few samples of each; no more than the carriers can hold and give
    // back.
    "100, 10, 1, false",
    "40, 10, 3, false",
    "100, 3, 30, false"
  })
  void evenlyUsedObjectsAreAllThereAre(int samples, int objects, int rarest, boolean turns) {
    LockObjects seen = new LockObjects(samples, objects, 60, 20, objects, rarest);
    assertEquals(new LocksSeen(Sharing.POOL, objects, turns), seen(seen, 2, 1.95, Entering.NOBODY));
  }

  @ParameterizedTest
  @CsvSource({
    "30,1,1,1,0,NOT_SAMPLED",
    "30,1,30,30,1,ONE_OBJECT",
    "30,10,12,7,2,POOL",
    "30,30,30,1,0,OWN_OBJECTS",
    "37,9,10,2,1,OWN_OBJECTS",
    "30,5,10,4,3,POOL"
  })
  void samplesAlone(
      int samples, int objects, int threads, int busiest, int several, Sharing sharing) {
    LockObjects seen = new LockObjects(samples, objects, threads, busiest, several, 1);
    assertEquals(sharing, seen(seen, 0, 1.9, Entering.NOBODY).sharing());
  }

  /**
   * Sixty pins of 2 s, one begins each second, of thirty threads; 62 threads wait for a carrier.
   */
  private Pins pins(IntUnaryOperator object) {
    Pins pins = new Pins().waiting(62);
    for (int i = 0; i < 60; i++) {
      pins.pin(i % 30, 2_000, stack(park, query), method(1, query)).sampled(object.applyAsInt(i));
    }
    return pins;
  }

  private Effect effect(Pins pins) {
    Owner library = new Owner.Library(new Coordinates("com.example", "db", "1.0"), "db-1.0.jar");
    return Advisor.advise(
            pins.owner(query.type().name(), library).findings(),
            KnownFixes.load(),
            Advisor::unknown,
            type -> false)
        .advised()
        .stream()
        .filter(each -> each.finding().cause() instanceof PinCause.HeldMonitor)
        .findFirst()
        .orElseThrow()
        .effect();
  }

  private static Prediction.Range range(Effect effect) {
    return assertInstanceOf(Prediction.Range.class, effect.prediction());
  }

  @Test
  void aPoolBehindTwoCarriersMayBeOfAnySize() {
    Effect effect = effect(pins(i -> i % 5 == 0 ? 0 : i % 2));
    assertEquals(Sharing.POOL, effect.sharing());
    Prediction.Range range = range(effect);
    assertEquals(range.now(), range.least());
    assertEquals(64 / 2.0, range.most(), 1e-9);
    assertEquals(
        "each lock of a pool lets 0.50/s pass, 10 of them 5.0/s; the range is wide because 2"
            + " carriers can show only 2 of them in use, however many there are",
        range.assumption());
  }

  @Test
  void aPoolThatTakesTurnsIsAsLargeAsItLooks() {
    Prediction.Range range = range(effect(pins(i -> i % 10)));
    assertEquals(10 / 2.0, range.most(), 1e-9);
    assertTrue(range.least() > 4 && range.least() < 5, range::toString);
    assertEquals(
        "10 lock objects take turns: a pool of about 10 bounds it at 5.0/s", range.assumption());
  }

  @Test
  void ofALockForEachThreadAllCanPass() {
    Effect effect = effect(pins(i -> i % 30));
    assertEquals(Sharing.OWN_OBJECTS, effect.sharing());
    assertEquals(64 / 2.0, range(effect).most(), 1e-9);
  }

  /** One carrier has the thread in the lock, the other one that waits to enter. */
  @Test
  void aLockThatThreadsWaitToEnterStaysAsFastAsItIs() {
    Pins pins = new Pins().waiting(62);
    for (int i = 0; i < 60; i++) {
      pins.pin(i % 15, 1_000, stack(park, query), method(1, query)).sampled(1);
      pins.pin(
          20 + i % 15,
          3_000,
          stack(entry),
          new PinCause.MonitorEntry(entry, "com.example.Session"));
    }
    Effect effect = effect(pins);
    assertEquals(Sharing.ONE_OBJECT, effect.sharing());
    assertTrue(range(effect).most() <= 1, effect::toString);
  }

  @ParameterizedTest
  @CsvSource({"false,0", "true,20000"})
  void withEntriesOffTheNumberOfLocksIsUnknown(boolean enabled, long thresholdMillis) {
    Pins pins =
        pins(i -> i % 2).setting(Events.MONITOR_ENTER, enabled, thresholdMillis * Pins.MILLI, true);
    Effect effect = effect(pins);
    assertEquals(Sharing.SOME_SHARED, effect.sharing());
    Prediction.None none = assertInstanceOf(Prediction.None.class, effect.prediction());
    assertFalse(none.why().isEmpty());
  }
}
