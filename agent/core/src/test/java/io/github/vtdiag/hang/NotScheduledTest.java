package io.github.vtdiag.hang;

import static io.github.vtdiag.hang.Snapshots.runnable;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class NotScheduledTest {
  private static Snapshot look(long queued, CarrierPool.Activity activity) {
    return new Snapshot(
        List.of(),
        3,
        new CarrierPool(
            OptionalInt.of(2),
            OptionalInt.of(2),
            OptionalLong.of(queued),
            Optional.ofNullable(activity)),
        true,
        Reachability.NOT_KNOWN,
        List.of());
  }

  private static Snapshot look(long queued, int occupied, long mounts) {
    return look(queued, new CarrierPool.Activity(occupied, mounts));
  }

  private static void assertNotSeen(Snapshot before, Snapshot after) {
    List<Diagnosis> all = Diagnoser.diagnose(before, after);
    assertTrue(all.stream().noneMatch(NotScheduled.class::isInstance), all::toString);
  }

  @Test
  void nothingIsWrongIfNoneNeedsACarrier() {
    assertNotSeen(look(0, 1, 10), look(0, 1, 10));
    assertNotSeen(look(1, 1, 10), look(0, 1, 10));
    assertNotSeen(look(0, 1, 10), look(1, 1, 10));
  }

  @Test
  void carriersThatMountOthersWork() {
    assertNotSeen(look(1, 1, 10), look(1, 1, 11));
  }

  @Test
  void carriersThatAreAllOccupiedAreNotFree() {
    assertNotSeen(look(1, 2, 10), look(1, 2, 10));
    assertNotSeen(look(1, 1, 10), look(1, 2, 10));
    // Carriers are added for threads in Object.wait.
    assertNotSeen(look(1, 3, 10), look(1, 3, 10));
  }

  @Test
  void withoutCountsOfMountsItIsNotKnown() {
    assertNotSeen(look(1, null), look(1, null));
    assertNotSeen(look(1, 1, 10), look(1, null));
  }

  @Test
  void aDumpHasNoCounts() {
    Snapshot dump = Snapshots.look(2, runnable(1));
    assertNotSeen(dump, dump);
  }

  @Test
  void queuedThreadsAndAFreeCarrierThatMountsNone() {
    Diagnosis diagnosis = Diagnoser.diagnose(look(3, 1, 10), look(4, 0, 10)).getFirst();
    assertEquals(NotScheduled.byJdk(3, 1, 2), diagnosis);
    assertEquals(
        "not scheduled: 3 virtual threads need a carrier and 1 of 2 carriers is free, but the"
            + " scheduler runs none of them",
        diagnosis.verdict());
    assertEquals(Diagnosis.Confirmation.LASTING, diagnosis.confirmation());
  }
}
