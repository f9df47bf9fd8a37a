package io.github.vtdiag.pin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.account.CarrierSample;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.Events.WatchLook;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedWaitsTest {
  private static final long SECOND = 1_000_000_000;
  private static final long THREAD = 40;
  private static final ThreadRef CARRIER = new ThreadRef(7, "carrier", false);

  private final WatchedWaits waits = new WatchedWaits();

  private static KeptCarrier wait(long number, long start, long nanos, boolean ended) {
    return new KeptCarrier(
        number,
        new ThreadRef(THREAD, "v", true),
        CARRIER,
        start,
        nanos,
        ended,
        KeptCarrier.Kind.NATIVE,
        "",
        0,
        new ThreadRef(-1, "", false),
        StackTrace.ABSENT);
  }

  private static WatchLook look(long at, long looks, long longestGap) {
    return new WatchLook(
        at,
        500,
        100,
        20,
        looks,
        longestGap,
        2,
        1,
        0,
        0,
        true,
        false,
        OtherCarriers.NONE,
        CarrierSample.NOTHING);
  }

  private PinEpisode only() {
    List<WatchedWaits.Untold> untold = waits.untold(21);
    assertEquals(1, untold.size(), untold::toString);
    assertEquals(CARRIER, untold.getFirst().carrier());
    return untold.getFirst().pin();
  }

  private void assertUntold(int count) {
    assertEquals(count, waits.untold(21).size());
  }

  @Test
  void whatAnEventOfTheJdkTellsIsNotToldAgain() {
    waits.add(wait(1, 1_000, 600, true));
    assertTrue(waits.concerns(THREAD));
    assertFalse(waits.concerns(THREAD + 1));
    waits.told(THREAD, 990, 1_650);
    assertUntold(0);
  }

  /** The thread's pin before, another thread's, and a short one in between are others. */
  @Test
  void otherPinsTellNothingOfAWait() {
    waits.add(wait(1, 1_000, 600, true));
    waits.told(THREAD, 100, 1_000);
    waits.told(THREAD, 1_000, 1_299);
    waits.told(THREAD + 1, 900, 1_700);
    assertEquals(600, only().durationNanos());
  }

  @Test
  void oneWaitCountsOnceAndAsFarAsItWent() {
    waits.add(wait(1, 1_000, 800, false));
    waits.add(wait(1, 1_000, 400, false));
    waits.add(wait(1, 1_000, 400, false));
    assertEquals(800, only().durationNanos());
    waits.add(wait(1, 1_000, 900, true));
    PinEpisode grown = only();
    assertEquals(900, grown.durationNanos());
    assertTrue(grown.ended());
    assertUntold(0);
  }

  @Test
  void whatHasNotEndedLastsUntilTheWatchLookedLast() {
    waits.add(wait(1, SECOND, SECOND, false));
    waits.add(look(9 * SECOND, 50, 20));
    waits.add(look(3 * SECOND, 50, 20));
    waits.add(look(SECOND, 50, 20));
    PinEpisode pin = only();
    assertEquals(8 * SECOND, pin.durationNanos());
    assertFalse(pin.ended());
  }

  @Test
  void aWatchThatDidNotLookSawNothingGoOn() {
    waits.add(wait(1, SECOND, SECOND, false));
    waits.add(look(9 * SECOND, 0, 0));
    assertEquals(SECOND, only().durationNanos());
  }

  /** A process that was suspended for a minute was not blocked for one. */
  @Test
  void theTimeWithoutALookDoesNotCount() {
    waits.add(wait(1, SECOND, SECOND, false));
    waits.add(look(3 * SECOND, 50, 20));
    waits.add(look(63 * SECOND, 1, 59 * SECOND));
    assertEquals(3 * SECOND, only().durationNanos());
  }

  @Test
  void whatTheThreadDidLaterEndsAWait() {
    waits.add(wait(1, SECOND, SECOND, false));
    waits.told(THREAD, 3 * SECOND, 4 * SECOND);
    waits.add(look(9 * SECOND, 50, 20));
    PinEpisode pin = only();
    assertTrue(pin.ended());
    assertEquals(SECOND, pin.durationNanos());
  }
}
