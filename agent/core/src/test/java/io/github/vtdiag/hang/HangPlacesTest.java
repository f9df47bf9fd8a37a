package io.github.vtdiag.hang;

import static io.github.vtdiag.hang.Snapshots.A;
import static io.github.vtdiag.hang.Snapshots.B;
import static io.github.vtdiag.hang.Snapshots.condition;
import static io.github.vtdiag.hang.Snapshots.frame;
import static io.github.vtdiag.hang.Snapshots.freeLock;
import static io.github.vtdiag.hang.Snapshots.lockOf;
import static io.github.vtdiag.hang.Snapshots.look;
import static io.github.vtdiag.hang.Snapshots.monitor;
import static io.github.vtdiag.hang.Snapshots.mounted;
import static io.github.vtdiag.hang.Snapshots.parked;
import static io.github.vtdiag.hang.Snapshots.runnable;
import static io.github.vtdiag.hang.Snapshots.standing;
import static io.github.vtdiag.hang.Snapshots.stoodStill;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.vtdiag.model.HangPlace;
import java.util.List;
import org.junit.jupiter.api.Test;

class HangPlacesTest {
  private static List<HangPlace> places(SeenThread... threads) {
    return HangPlaces.of(stoodStill(look(threads)).getFirst());
  }

  private static SeenThread at(SeenThread thread, int line, String... classes) {
    return standing(thread, List.of(classes).stream().map(each -> frame(each, line)).toList());
  }

  @Test
  void whatIsNoHangHasNoPlaces() {
    assertEquals(List.of(), HangPlaces.of(new Diagnosis.Idle(3, 0)));
    assertEquals(List.of(), HangPlaces.of(new Diagnosis.Busy(1, 3)));
    assertEquals(List.of(), HangPlaces.of(new Diagnosis.Unknown("no states")));
  }

  @Test
  void linesObjectsAndThreadsDoNotCount() {
    SeenThread one = parked(1, lockOf(A, 2));
    SeenThread two = parked(2, lockOf(B, 1));
    List<HangPlace> places = places(at(one, 10, "app.X"), at(two, 10, "app.Y"));
    assertEquals(
        List.of(
            new HangPlace("app.X.run", "", "com.example.A", ""),
            new HangPlace("app.Y.run", "", "com.example.B", "")),
        places);
    SeenThread otherOne = parked(7, lockOf(LockRef.of("com.example.A", 77), 3));
    SeenThread otherTwo = parked(3, lockOf(LockRef.of("com.example.B", 88), 7));
    assertEquals(places, places(at(otherTwo, 50, "app.Y"), at(otherOne, 40, "app.X")));
  }

  @Test
  void theLocksOfACycleAreItsKnownObjects() {
    SeenThread one = mounted(1, lockOf(A, 2), monitor(LockRef.of("com.example.Besides", 9)));
    SeenThread two = parked(2, lockOf(B, 1));
    assertEquals(
        List.of("com.example.A@1", "com.example.B@2"),
        HangPlaces.objects(stoodStill(look(one, two)).getFirst()).stream().sorted().toList());
    LockRef field = LockRef.ofField("com.example.C", "lock");
    SeenThread first = mounted(1, new ThreadWait.MonitorEntry(field), monitor(B));
    SeenThread second = mounted(2, new ThreadWait.MonitorEntry(B), monitor(field));
    assertEquals(
        List.of("com.example.B@2"), HangPlaces.objects(stoodStill(look(first, second)).getFirst()));
  }

  @Test
  void whatThreadsHoldThatKeepTheCarriersIsAmongTheLocks() {
    List<String> objects =
        HangPlaces.objects(
            stoodStill(
                    look(
                        at(mounted(1, freeLock(A, 5), monitor(B)), 1, "app.X"),
                        at(mounted(2, freeLock(A, 5), monitor(B)), 9, "app.X"),
                        runnable(5)))
                .getFirst());
    assertEquals(List.of("com.example.A@1", "com.example.B@2"), objects.stream().sorted().toList());
  }

  @Test
  void otherMethodsCallersAndLocksAreAnotherHang() {
    SeenThread one = parked(1, lockOf(A, 2));
    SeenThread two = parked(2, lockOf(B, 1));
    List<HangPlace> places = places(at(one, 1, "app.Locks", "app.X"), at(two, 1, "app.Y"));
    assertEquals("app.X.run", places.getFirst().caller());
    assertNotEquals(places, places(at(one, 1, "app.Locks", "app.Z"), at(two, 1, "app.Y")));
    assertNotEquals(places, places(at(one, 1, "app.Locks", "app.X"), at(two, 1, "app.Z")));
    SeenThread third = parked(1, lockOf(LockRef.of("com.example.C", 1), 2));
    assertNotEquals(places, places(at(third, 1, "app.Locks", "app.X"), at(two, 1, "app.Y")));
    // The JDK's own frames are the same everywhere.
    assertEquals(
        places,
        places(
            at(one, 1, "java.util.concurrent.locks.ReentrantLock", "app.Locks", "app.X"),
            at(two, 1, "app.Y")));
  }

  @Test
  void aMonitorIsHeldInAMethodAndMayBeKnownByItsField() {
    LockRef field = LockRef.ofField("com.example.C", "lock");
    SeenThread one = mounted(1, new ThreadWait.MonitorEntry(field), monitor(B));
    SeenThread two = mounted(2, new ThreadWait.MonitorEntry(B), monitor(field));
    assertEquals(
        List.of(
            new HangPlace("com.example.T1.run", "", "com.example.C.lock", "com.example.T2.run"),
            new HangPlace("com.example.T2.run", "", "com.example.B", "com.example.T1.run")),
        places(one, two));
  }

  /** Which threads keep the carriers, and how many at one place, is an accident. */
  @Test
  void eachPlaceThatKeepsCarriersIsSaidOnce() {
    List<HangPlace> places =
        places(
            at(mounted(1, freeLock(A, 5), monitor(B)), 1, "app.X"),
            at(mounted(2, freeLock(A, 5), monitor(B)), 9, "app.X"),
            runnable(5));
    assertEquals(List.of(new HangPlace("app.X.run", "", "com.example.A", "app.X.run")), places);
    assertEquals(
        places,
        places(
            at(mounted(3, freeLock(A, 6), monitor(B)), 1, "app.X"),
            at(mounted(4, freeLock(A, 6), monitor(B)), 1, "app.X"),
            runnable(6)));
  }

  @Test
  void whereAThreadComputesAtTheMomentIsAnAccident() {
    SeenThread one = mounted(1, new ThreadWait.Nothing(true));
    SeenThread two = mounted(2, new ThreadWait.Nothing(true));
    assertEquals(
        List.of(new HangPlace("app.Job.run", "", "", "")),
        places(at(one, 1, "app.Math", "app.Job"), at(two, 5, "app.Sort", "app.Job"), runnable(3)));
  }

  @Test
  void whoWaitsForACallOfWhichNobodyKnowsTheEndIsStillInAPlace() {
    List<HangPlace> places =
        places(
            at(mounted(1, condition(A), monitor(B)), 1, "lib.Pool", "app.X"),
            at(mounted(2, condition(A), monitor(B)), 1, "lib.Pool", "app.X"),
            runnable(3));
    assertEquals(
        List.of(new HangPlace("lib.Pool.run", "app.X.run", "com.example.A", "lib.Pool.run")),
        places);
  }
}
