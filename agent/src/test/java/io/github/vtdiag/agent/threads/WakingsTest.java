package io.github.vtdiag.agent.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.vtdiag.agent.threads.Wakings.Door;
import io.github.vtdiag.waits.LongWait.Wakers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WakingsTest {
  private static final Door QUESTIONS = new Door(List.of(), 1);
  private static final Door ANSWERS = new Door(List.of(), 2);
  private static final Door TASKS = new Door(List.of(), 3);
  private static final long CLIENT = 10;
  private static final long WORKER = 20;
  private static final long DISPATCHER = 40;

  private static final List<StackTraceElement> TAKE = stack("take");
  private static final List<StackTraceElement> PUT = stack("put");

  private final Wakings wakings = new Wakings(id -> false);
  private Map<Door, Set<Long>> waiting = Map.of();
  private Map<Door, Set<Long>> doers = Map.of();

  private static List<StackTraceElement> stack(String method) {
    return List.of(
        new StackTraceElement("java.util.concurrent.ArrayBlockingQueue", method, "", 1),
        new StackTraceElement("app.Work", "run", "", 7));
  }

  private void wake(int times, Door door, List<StackTraceElement> stack, long woken, long waker) {
    for (int look = 1; look <= times; look++) {
      wakings.add(door, !Wakings.isForRoom(stack), woken, waker, look);
    }
  }

  private Wakers judge(Map<Door, Set<Long>> now, Door... doors) {
    waiting = now;
    wakings.setWaiting(1, waiting, waiting, doers);
    return wakings.judge(Set.of(doors), waiting);
  }

  @Test
  void nobodyWasWokenWhereNothingWasNoted() {
    assertEquals(Wakers.NONE, judge(Map.of(ANSWERS, Set.of(CLIENT)), ANSWERS));
    assertEquals(Wakers.NONE, judge(Map.of(), ANSWERS, QUESTIONS));
    assertEquals(Wakers.NOT_KNOWN, judge(Map.of()));
  }

  /** A method of the JDK that was transformed while a thread was in it has no lines there. */
  @Test
  void tasksOfOnePlaceHaveOneDoor() {
    StackTraceElement transformed =
        new StackTraceElement("java.util.concurrent.ArrayBlockingQueue", "take", "", -1);
    assertEquals(Door.ofTasks(TAKE), Door.ofTasks(List.of(transformed, TAKE.getLast())));
    StackTraceElement elsewhere = new StackTraceElement("app.Work", "run", "", 8);
    assertNotEquals(Door.ofTasks(TAKE), Door.ofTasks(List.of(TAKE.getFirst(), elsewhere)));
    assertNotEquals(Door.ofTasks(List.of(transformed)), Door.ofTasks(List.of(TAKE.getFirst())));
  }

  @Test
  void ofDifferentDoorsNothingIsKnownInCommon() {
    wake(3, ANSWERS, TAKE, CLIENT, WORKER);
    assertEquals(Wakers.NOT_KNOWN, judge(Map.of(ANSWERS, Set.of(CLIENT)), ANSWERS, QUESTIONS));
  }

  @Test
  void whoAskedOneThatHasEndedIsNoWorker() {
    wake(3, QUESTIONS, TAKE, WORKER, CLIENT);
    wake(3, ANSWERS, TAKE, CLIENT, WORKER);
    Map<Door, Set<Long>> now = Map.of(ANSWERS, Set.of(CLIENT));
    assertEquals(Wakers.OTHERS, judge(now, ANSWERS));
    assertEquals(Set.of(WORKER), wakings.asked());
    wakings.setEnded(Set.of(WORKER));
    assertEquals(Wakers.ANSWERED, judge(now, ANSWERS));
  }

  /** A consumer makes room for its producer, and asks it for nothing. */
  @Test
  void whoOnlyMadeRoomHasNotAsked() {
    wake(3, QUESTIONS, PUT, WORKER, CLIENT);
    wake(3, ANSWERS, TAKE, CLIENT, WORKER);
    wakings.setEnded(Set.of(WORKER));
    assertEquals(Wakers.ENDED, judge(Map.of(ANSWERS, Set.of(CLIENT)), ANSWERS));
  }

  /** The dispatcher takes requests and gives them to workers, which answer the client. */
  private void dispatch() {
    wake(3, TASKS, TAKE, WORKER, DISPATCHER);
    wake(3, ANSWERS, TAKE, CLIENT, WORKER);
    wakings.setEnded(Set.of(DISPATCHER));
  }

  @Test
  void workersWhoseClientsNeverAskedTheirFeederAreIdle() {
    dispatch();
    Map<Door, Set<Long>> now = Map.of(ANSWERS, Set.of(CLIENT), TASKS, Set.of(WORKER));
    assertEquals(Wakers.ENDED, judge(now, TASKS));
    wakings.add(QUESTIONS, false, DISPATCHER, CLIENT, 1); // only for a lock
    assertEquals(Wakers.ENDED, judge(now, TASKS));
  }

  @Test
  void workersWhoseClientsWaitForThemAreNotIdle() {
    dispatch();
    wake(3, QUESTIONS, TAKE, DISPATCHER, CLIENT);
    assertEquals(Wakers.ENDED, judge(Map.of(TASKS, Set.of(WORKER)), TASKS));
    Map<Door, Set<Long>> now = Map.of(ANSWERS, Set.of(CLIENT), TASKS, Set.of(WORKER));
    assertEquals(Wakers.ANSWERED, judge(now, TASKS));
    wake(1, ANSWERS, TAKE, CLIENT, 30); // Somebody else may answer.
    assertEquals(Wakers.ENDED, judge(now, TASKS));
  }

  @Test
  void twoThatWokeOnlyEachOtherWaitInACircle() {
    wake(2, QUESTIONS, TAKE, WORKER, CLIENT);
    wake(2, ANSWERS, TAKE, CLIENT, WORKER);
    Map<Door, Set<Long>> now = Map.of(ANSWERS, Set.of(CLIENT), QUESTIONS, Set.of(WORKER));
    assertEquals(Wakers.EACH_OTHER, judge(now, ANSWERS));
    assertEquals(Wakers.EACH_OTHER, judge(now, QUESTIONS));
    assertEquals(Wakers.OTHERS, judge(Map.of(ANSWERS, Set.of(CLIENT)), ANSWERS));
  }

  /** The one that woke them first may only not have been seen. */
  @Test
  void twoThatHardlyWokeEachOtherAreHardlyServed() {
    wake(1, QUESTIONS, TAKE, WORKER, CLIENT);
    wake(1, ANSWERS, TAKE, CLIENT, WORKER);
    Map<Door, Set<Long>> now = Map.of(ANSWERS, Set.of(CLIENT), QUESTIONS, Set.of(WORKER));
    assertEquals(Wakers.NONE, judge(now, ANSWERS));
    assertEquals(Wakers.OTHERS, judge(Map.of(ANSWERS, Set.of(CLIENT)), ANSWERS));
  }

  /** Workers wake their feeder when they unlock the queue's own lock. */
  @Test
  void whoIsWokenForALockWasNotAsked() {
    wakings.add(QUESTIONS, false, WORKER, CLIENT, 1);
    wake(3, ANSWERS, TAKE, CLIENT, WORKER);
    judge(Map.of(ANSWERS, Set.of(CLIENT)), ANSWERS);
    wakings.setEnded(Set.of(WORKER));
    assertEquals(Wakers.ENDED, judge(Map.of(ANSWERS, Set.of(CLIENT)), ANSWERS));
  }

  @Test
  void whereSomebodyElseHasWokenOneOfThemThereIsNoCircle() {
    wake(3, QUESTIONS, TAKE, WORKER, CLIENT);
    wake(3, ANSWERS, TAKE, CLIENT, WORKER);
    wake(1, ANSWERS, TAKE, CLIENT, 30);
    Map<Door, Set<Long>> now = Map.of(ANSWERS, Set.of(CLIENT), QUESTIONS, Set.of(WORKER));
    assertEquals(Wakers.OTHERS, judge(now, ANSWERS));
    assertEquals(Wakers.OTHERS, judge(now, QUESTIONS));
  }

  @Test
  void doorsAtWhichNobodyWaitsMakeRoomForOthers() {
    wake(1, ANSWERS, TAKE, CLIENT, WORKER);
    for (int i = 100; i < 2_000; i++) {
      wake(1, new Door(List.of(), i), TAKE, CLIENT, WORKER);
    }
    Map<Door, Set<Long>> now = new HashMap<>();
    now.put(ANSWERS, Set.of(CLIENT));
    assertEquals(Wakers.OTHERS, judge(now, ANSWERS));
    wake(1, QUESTIONS, TAKE, WORKER, CLIENT);
    assertEquals(Wakers.OTHERS, judge(now, QUESTIONS));
  }

  @Test
  void whoJoinEachOtherWaitInACircle() {
    Map<Door, Set<Long>> now = Map.of(ANSWERS, Set.of(CLIENT), QUESTIONS, Set.of(WORKER));
    doers = Map.of(ANSWERS, Set.of(WORKER));
    assertEquals(Wakers.NONE, judge(now, ANSWERS));
    doers = Map.of(ANSWERS, Set.of(WORKER), QUESTIONS, Set.of(30L));
    assertEquals(Wakers.NONE, judge(now, ANSWERS));
    doers = Map.of(ANSWERS, Set.of(WORKER), QUESTIONS, Set.of(CLIENT));
    assertEquals(Wakers.EACH_OTHER, judge(now, ANSWERS));
    assertEquals(Wakers.EACH_OTHER, judge(now, QUESTIONS));
  }

  @Test
  void whoJoinsItselfWaitsInACircle() {
    doers = Map.of(ANSWERS, Set.of(CLIENT));
    assertEquals(Wakers.EACH_OTHER, judge(Map.of(ANSWERS, Set.of(CLIENT)), ANSWERS));
  }

  /** Such as who closes an executor before it has told its workers to end. */
  @Test
  void whoJoinsThoseThatItServedWaitsInACircle() {
    wake(4, QUESTIONS, TAKE, WORKER, CLIENT);
    Map<Door, Set<Long>> now = Map.of(ANSWERS, Set.of(CLIENT), QUESTIONS, Set.of(WORKER));
    assertEquals(Wakers.OTHERS, judge(now, QUESTIONS));
    doers = Map.of(ANSWERS, Set.of(WORKER));
    assertEquals(Wakers.EACH_OTHER, judge(now, ANSWERS));
    assertEquals(Wakers.EACH_OTHER, judge(now, QUESTIONS));
    wake(1, QUESTIONS, TAKE, WORKER, 30);
    assertEquals(Wakers.NONE, judge(now, ANSWERS));
    assertEquals(Wakers.OTHERS, judge(now, QUESTIONS));
  }
}
