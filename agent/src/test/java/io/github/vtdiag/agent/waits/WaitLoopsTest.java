package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.agent.threads.ThreadSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WaitLoopsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final List<StackTraceElement> YIELDS = stack("java.lang.Thread", "yield");

  /** A loop that sleeps between two attempts. */
  private static final List<StackTraceElement> TRIES =
      stack("java.util.concurrent.Semaphore", "tryAcquire");

  private static final List<StackTraceElement> SLEEPS = stack("java.lang.Thread", "sleep", 8);

  private static final Set<List<StackTraceElement>> BOTH = Set.of(TRIES, SLEEPS);

  private final WaitLoops loops = new WaitLoops((one, other) -> Set.of(one, other).equals(BOTH));
  private final Thread one = Thread.currentThread();
  private final Thread other = ThreadSnapshots.platformThreads().getFirst();

  private static List<StackTraceElement> stack(String type, String method) {
    return stack(type, method, 7);
  }

  private static List<StackTraceElement> stack(String type, String method, int line) {
    return List.of(
        new StackTraceElement(type, method, "", 1),
        new StackTraceElement("app.Job", "run", "", line));
  }

  private void see(int times, Thread thread, List<StackTraceElement> stack) {
    for (int i = 0; i < times; i++) {
      loops.begin(SECOND);
      loops.seen(thread, Thread.State.TIMED_WAITING, stack);
    }
  }

  @Test
  void whoIsSeenElsewhereIsInNoLoop() {
    see(30, one, stack("java.util.concurrent.Semaphore", "tryAcquire"));
    assertEquals(List.of(), loops.loops());
    for (int i = 0; i < 10; i++) {
      see(4, one, YIELDS);
      see(1, one, stack("java.io.InputStream", "read"));
    }
    assertEquals(List.of(), loops.loops());
  }

  @Test
  void whoWaitsAtTwoPlacesOfALoopIsStillInIt() {
    for (int i = 0; i < 7; i++) {
      see(2, one, SLEEPS);
      see(1, one, TRIES);
      see(1, other, TRIES);
      see(2, other, SLEEPS);
    }
    assertEquals(List.of(new WaitLoops.Loop(SLEEPS, 2, 41 * SECOND, false)), loops.loops());
    see(1, other, stack("java.lang.Thread", "sleep", 9));
    assertEquals(List.of(), loops.loops());
  }

  @Test
  void whoAsksForRoomInARingIsStillInTheLoop() {
    StackTraceElement next =
        new StackTraceElement("com.lmax.disruptor.MultiProducerSequencer", "next", "", 7);
    List<StackTraceElement> parks =
        List.of(
            new StackTraceElement("java.util.concurrent.locks.LockSupport", "parkNanos", "", 1),
            next);
    List<StackTraceElement> asks =
        List.of(new StackTraceElement("com.lmax.disruptor.util.Util", "minimum", "", 3), next);
    for (int i = 0; i < 7; i++) {
      see(3, one, parks);
      loops.runs(one, asks);
    }
    assertEquals(20 * SECOND, loops.loops().getFirst().nanos());
    loops.runs(one, asks.subList(0, 1));
    assertEquals(List.of(), loops.loops());
  }

  @Test
  void whoIsSeldomSeenMayHaveBeenElsewhere() {
    see(1, one, YIELDS);
    loops.begin(30 * SECOND);
    see(1, one, YIELDS);
    assertEquals(List.of(), loops.loops());
  }

  @Test
  void whoIsAlwaysSeenThereIsInALoop() {
    see(21, one, YIELDS);
    assertEquals(List.of(new WaitLoops.Loop(YIELDS, 1, 20 * SECOND, false)), loops.loops());
    assertEquals(Thread.State.RUNNABLE, loops.loops().getFirst().state());
  }

  @Test
  void whoTriesAgainAndAgainIsToo() {
    see(21, one, stack("java.util.concurrent.locks.ReentrantLock", "tryLock"));
    assertEquals(Thread.State.TIMED_WAITING, loops.loops().getFirst().state());
  }

  @Test
  void whoWaitsWithATimeoutAgainAndAgainIsInALoop() {
    see(21, one, stack("java.util.concurrent.Semaphore", "await"));
    assertEquals(List.of(), loops.loops());
    see(21, one, stack("java.util.concurrent.CountDownLatch", "await"));
    assertEquals(20 * SECOND, loops.loops().getFirst().nanos());
    see(21, one, stack("java.lang.Object", "wait"));
    assertEquals(20 * SECOND, loops.loops().getFirst().nanos());
  }

  @Test
  void whoParksByItselfForAWhileIsToo() {
    see(21, one, stack("java.util.concurrent.locks.LockSupport", "parkNanos"));
    assertEquals(20 * SECOND, loops.loops().getFirst().nanos());
    List<StackTraceElement> taking =
        new ArrayList<>(stack("java.util.concurrent.Exchanger", "exchange"));
    taking.addFirst(
        new StackTraceElement("java.util.concurrent.locks.LockSupport", "parkNanos", "", 1));
    see(21, one, taking);
    assertEquals(List.of(), loops.loops());
  }

  /** Both pause in the same method, and one of them behind the loop. */
  @Test
  void whoPausesElsewhereInAHelperPasses() {
    List<StackTraceElement> inLoop = new ArrayList<>(stack("app.Pauses", "sleep"));
    inLoop.addFirst(new StackTraceElement("java.lang.Thread", "sleep", "", 1));
    List<StackTraceElement> behind = new ArrayList<>(inLoop.subList(0, 2));
    behind.add(new StackTraceElement("app.Job", "run", "", 9));
    see(21, one, inLoop);
    assertEquals(20 * SECOND, loops.loops().getFirst().nanos());
    for (int i = 0; i < 30; i++) {
      see(1, one, inLoop);
      loops.seen(other, Thread.State.TIMED_WAITING, behind);
    }
    assertEquals(List.of(), loops.loops());
  }

  /** All threads of a program may begin in one method. */
  @Test
  void whoIsCalledFromTheSameLineDoesNotPass() {
    StackTraceElement begin = new StackTraceElement("app.Main", "run", "", 3);
    List<StackTraceElement> inLoop = new ArrayList<>(YIELDS);
    inLoop.add(begin);
    List<StackTraceElement> serving =
        new ArrayList<>(stack("java.util.concurrent.LinkedBlockingQueue", "take").subList(0, 1));
    serving.add(new StackTraceElement("app.Worker", "serve", "", 5));
    serving.add(begin);
    for (int i = 0; i < 21; i++) {
      see(1, one, inLoop);
      loops.seen(other, Thread.State.WAITING, serving);
    }
    assertEquals(20 * SECOND, loops.loops().getFirst().nanos());
  }

  private void wake(int times, List<StackTraceElement> stack) {
    for (int i = 0; i < times; i++) {
      loops.begin(SECOND);
      loops.seen(one, Thread.State.WAITING, stack);
    }
  }

  @Test
  void whoIsNotifiedAgainAndAgainIsInALoop() {
    List<StackTraceElement> waits = stack("java.lang.Object", "wait");
    wake(21, waits);
    assertEquals(List.of(new WaitLoops.Loop(waits, 1, 20 * SECOND, true)), loops.loops());
    assertEquals(Thread.State.WAITING, loops.loops().getFirst().state());
    wake(1, stack("app.Work", "make"));
    assertEquals(List.of(), loops.loops());
  }

  @Test
  void whoIsWokenAgainAndAgainFromAnotherWaitIsInNone() {
    wake(30, stack("java.util.concurrent.locks.LockSupport", "park"));
    wake(30, stack("java.util.concurrent.CountDownLatch", "await"));
    wake(30, stack("java.util.concurrent.Semaphore", "acquire"));
    assertEquals(List.of(), loops.loops());
  }

  /** Who holds what the others spin for is in the same method, behind the loop. */
  @Test
  void whereSomebodyPassesNobodyStandsStill() {
    for (int i = 0; i < 10; i++) {
      see(3, one, YIELDS);
      see(1, other, stack("app.Work", "make"));
    }
    assertEquals(List.of(), loops.loops());
  }

  /** It sleeps each time that somebody looks. */
  @Test
  void whoPassesAgainAndAgainAtOnePlaceStillPasses() {
    for (int i = 0; i < 30; i++) {
      see(1, one, YIELDS);
      loops.seen(
          other,
          Thread.State.TIMED_WAITING,
          List.of(
              new StackTraceElement("java.lang.Thread", "sleep", "", 1),
              new StackTraceElement("app.Job", "run", "", 9)));
    }
    assertEquals(List.of(), loops.loops());
  }

  @Test
  void whoGoesRoundOnItsCarrierIsSeenThereToo() {
    see(1, one, YIELDS);
    for (int i = 0; i < 20; i++) {
      loops.begin(SECOND);
      List<StackTraceElement> mounted = new ArrayList<>(YIELDS);
      mounted.addFirst(new StackTraceElement("java.lang.VirtualThread", "tryYield", "", 1));
      loops.runs(one, mounted);
    }
    assertEquals(List.of(new WaitLoops.Loop(YIELDS, 1, 20 * SECOND, false)), loops.loops());
  }

  @Test
  void whoComputesInBetweenIsInNoLoop() {
    for (int i = 0; i < 10; i++) {
      see(4, one, YIELDS);
      loops.runs(one, YIELDS.subList(1, 2));
      see(1, one, YIELDS);
      loops.runs(one, stack("app.Work", "compute"));
    }
    assertEquals(List.of(), loops.loops());
  }

  /** The others may be about to have their turn. */
  @Test
  void timeCountsFromTheLastOneThatLeft() {
    see(10, other, YIELDS);
    see(20, one, YIELDS);
    see(1, other, stack("java.lang.Object", "wait"));
    assertEquals(List.of(), loops.loops());
    see(9, one, YIELDS);
    assertEquals(List.of(new WaitLoops.Loop(YIELDS, 1, 9 * SECOND, false)), loops.loops());
  }
}
