package io.github.vtdiag.watch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import org.junit.jupiter.api.Test;

class CarrierSlotTest {
  private static final Object ONE = new Object();
  private static final Object OTHER = new Object();

  private final CarrierSlot slot =
      new CarrierSlot(new ForkJoinWorkerThread(new ForkJoinPool(1)) {});

  @Test
  void aMountThatNobodyCountsIsMissed() {
    slot.notes(null, 0);
    slot.notes(ONE, 0);
    assertTrue(slot.notes(OTHER, 0));
    slot.notes(null, 0);
    assertTrue(slot.notes(ONE, 0));
  }

  @Test
  void aCountedMountIsNotMissed() {
    slot.notes(null, 0);
    assertFalse(slot.notes(ONE, 1));
    assertFalse(slot.notes(ONE, 1));
    assertFalse(slot.notes(OTHER, 2));
    assertFalse(slot.notes(null, 2));
    assertFalse(slot.notes(null, 2));
    assertFalse(slot.notes(ONE, 3));
  }

  /** The carrier may lose its processor between the count and the mount. */
  @Test
  void aMountThatIsCountedLooksBeforeItIsSeenIsNotMissed() {
    slot.notes(ONE, 1);
    assertFalse(slot.notes(null, 2));
    assertFalse(slot.notes(null, 2));
    assertFalse(slot.notes(OTHER, 2));
    assertTrue(slot.notes(ONE, 2));
  }
}
