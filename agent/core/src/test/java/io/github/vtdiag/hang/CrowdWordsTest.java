package io.github.vtdiag.hang;

import static io.github.vtdiag.hang.Snapshots.A;
import static io.github.vtdiag.hang.Snapshots.B;
import static io.github.vtdiag.hang.Snapshots.condition;
import static io.github.vtdiag.hang.Snapshots.look;
import static io.github.vtdiag.hang.Snapshots.parked;
import static io.github.vtdiag.hang.Snapshots.standing;
import static io.github.vtdiag.hang.Snapshots.stoodStill;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CrowdWordsTest {
  private static Frame frame(String type, String loader, String method) {
    return new Frame(new ClassRef(type, loader), method, "", 0, -1, 1, Frame.Kind.UNKNOWN);
  }

  /** Waits in a method of the JDK that {@code app.Ledger} calls. */
  private static SeenThread waits(long id, LockRef object, boolean timed, Frame call, String in) {
    Frame park = frame("java.util.concurrent.locks.LockSupport", "", "park");
    return standing(
        parked(id, new ThreadWait.Park(Optional.of(object), new LockHolder.NotKnown(), timed)),
        List.of(park, call, frame("app.Ledger", "app", in)));
  }

  private static SeenThread locks(long id, LockRef lock, boolean timed, String in) {
    Frame lockIt =
        frame("java.util.concurrent.locks.ReentrantLock", "", timed ? "tryLock" : "lock");
    return waits(id, lock, timed, lockIt, in);
  }

  /** Threads among as many that wait for nothing known. */
  private static Diagnosis diagnosis(SeenThread... threads) {
    List<SeenThread> all = new ArrayList<>(List.of(threads));
    Stream.of(7, 8, 9)
        .map(id -> parked(id, condition(LockRef.of("com.example.C", id))))
        .forEach(all::add);
    return stoodStill(look(all.toArray(SeenThread[]::new))).getFirst();
  }

  @Test
  void locksInTwoMethodsAreTwoThings() {
    assertEquals(
        "waiting: 2 of 5 virtual threads wait for 2 things",
        diagnosis(locks(1, A, false, "book"), locks(2, B, false, "close")).verdict());
  }

  @Test
  void oneLockForWhichTwoMethodsWaitIsOneThing() {
    Diagnosis.Waiting one =
        assertInstanceOf(
            Diagnosis.Waiting.class,
            diagnosis(locks(1, A, false, "book"), locks(2, A, false, "close")));
    assertEquals("waiting: 2 of 5 virtual threads wait for the same lock", one.verdict());
    assertEquals(2, one.crowds().size());
  }

  /** A timeout may be there for idle threads, too. */
  @Test
  void aTimeoutOfASignalIsNoWaitForOthers() {
    Frame await =
        frame("java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject", "", "await");
    assertInstanceOf(Diagnosis.Idle.class, diagnosis(waits(1, A, true, await, "poll")));
  }

  @Test
  void aTimeoutOfALockIsSaid() {
    Diagnosis.Waiting timed =
        assertInstanceOf(Diagnosis.Waiting.class, diagnosis(locks(1, A, true, "book")));
    assertEquals("waiting: 1 of 4 virtual threads waits for another thread", timed.verdict());
    assertEquals(
        "1 virtual thread waits in app.Ledger.book:1 for com.example.A@1 (ReentrantLock), with a"
            + " timeout",
        new DiagnosisWords(25).evidence(timed).getFirst());
  }
}
