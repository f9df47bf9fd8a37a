package io.github.vtdiag.findings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.SeenWaits;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where nobody comes through any more, more of it or a shorter use helps nobody. */
class StalledWaitsTest {
  private static final int LOOKS = 10;

  private final List<SeenPool> pools = new ArrayList<>();

  /** Whether another thread stands still. */
  private boolean beside;

  private int returned;
  private long waitedSeconds = 1;

  private static StackTrace stack(String... methods) {
    List<Frame> frames =
        Stream.of(methods)
            .map(
                method -> {
                  int dot = method.lastIndexOf('.');
                  ClassRef type = new ClassRef(method.substring(0, dot), "");
                  String name = method.substring(dot + 1);
                  return new Frame(type, name, "", 0, -1, 1, Frame.Kind.UNKNOWN);
                })
            .toList();
    return new StackTrace(frames, false);
  }

  private String advice(boolean stalled, String... methods) {
    return advice(new Pins().data(), stalled, methods);
  }

  private String advice(RecordingData data, boolean stalled, String... methods) {
    List<WaitLook> looks = new ArrayList<>();
    Map<Long, List<WaitCrowd>> crowds = new HashMap<>();
    for (long look = 1; look <= LOOKS; look++) {
      looks.add(new WaitLook(look * 1_000_000_000, look, 100, 100, 100, true, false));
      crowds.put(look, List.of(new WaitCrowd(look, 1, Thread.State.WAITING, "", 7, 1, 90, 0, 0)));
    }
    LongWait wait =
        new LongWait(
            LOOKS,
            1,
            Thread.State.WAITING,
            "",
            7,
            90,
            returned,
            TimeUnit.SECONDS.toNanos(stalled ? 60 : waitedSeconds),
            false,
            LongWait.Wakers.OTHERS,
            WaitDetail.NONE);
    LongWait other =
        new LongWait(
            LOOKS,
            2,
            Thread.State.WAITING,
            "",
            8,
            1,
            0,
            TimeUnit.SECONDS.toNanos(60),
            false,
            LongWait.Wakers.OTHERS,
            WaitDetail.NONE);
    SeenWaits seen =
        new SeenWaits(
            looks,
            crowds,
            beside ? List.of(wait, other) : List.of(wait),
            Map.of(1, stack(methods), 2, stack("java.util.concurrent.FutureTask.get")),
            Set.of(),
            pools);
    RecordingData all =
        new RecordingData(
            data.facts(), data.pins(), data.events(), seen, data.lockMaps(), data.samples());
    Finding.Wait found = Waits.find(all, type -> new Owner.Jdk(), List.of()).getFirst();
    return found.kind().advice(found.seen());
  }

  @ParameterizedTest
  @CsvSource({
    "com.zaxxer.hikari.pool.HikariPool.getConnection, enlarge the pool, does not give them back",
    "java.util.concurrent.Semaphore.acquire, else raise it, does not release them",
    "java.util.concurrent.ArrayBlockingQueue.put, add some, still alive",
    "java.util.concurrent.locks.ReentrantLock.lock, less time, the thread that has it",
    "java.util.concurrent.locks.StampedLock.writeLock, less time, not reentrant",
    "java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock, less time, has the read"
        + " lock",
    "java.util.concurrent.CountDownLatch.await, signalling thread does, No signal came",
    "java.util.concurrent.CompletableFuture.join, computes the result does, never came"
  })
  void aLeakIsNotAnsweredWithMore(String method, String more, String leak) {
    String before = advice(false, method, "app.Orders.find");
    assertTrue(before.contains(more), before);
    String stalled = advice(true, method, "app.Orders.find");
    assertFalse(stalled.contains(more), stalled);
    assertTrue(stalled.contains(leak), stalled);
  }

  /**
   * Threads that got through before wait for a shorter time than counts by itself, and somebody
   * else stands still as well.
   */
  @Test
  void aLockBesideAStallIsNotCalledBusy() {
    String lock = "java.util.concurrent.locks.ReentrantLock.lock";
    assertTrue(besides(12, false, lock).contains("Hold it for less time"));
    assertTrue(besides(4, true, lock).contains("Hold it for less time"));
    assertTrue(besides(25, true, lock).contains("No thread got it any more"));
    String permits = "java.util.concurrent.Semaphore.acquire";
    assertEquals(besides(25, false, permits), besides(25, true, permits));
  }

  /** Returns the advice for a lock where threads went on before, and then no more. */
  private String besides(long seconds, boolean stall, String method) {
    beside = stall;
    returned = 80;
    waitedSeconds = seconds;
    return advice(false, method, "app.Orders.find");
  }

  /** The agent saw that the owner had ended; this has to be said of this lock, and no other. */
  @Test
  void aLockWhoseOwnerHasEndedIsNotHeldForTooLong() {
    String lock = "java.util.concurrent.locks.ReentrantLock.lock";
    HangPlace place = new HangPlace("app.Orders.find", "", "ReentrantLock$NonfairSync", "");
    RecordingData hung = new Pins().hang("NeverReleased", List.of(place), "lock").data();
    for (boolean stalled : new boolean[] {true, false}) {
      assertEquals(
          "The thread that had it has ended without releasing it: release it in a finally block.",
          advice(hung, stalled, lock, "app.Orders.find"));
      assertFalse(advice(hung, stalled, lock, "app.Other.find").contains("finally"));
      RecordingData other = new Pins().hang("LockCycle", List.of(place), "lock").data();
      assertFalse(advice(other, stalled, lock, "app.Orders.find").contains("finally"));
    }
  }

  /** Whatever is done about the length of the wait, a deadlock stays one. */
  @ParameterizedTest
  @CsvSource({
    "app.Orders.find, true, These threads are in the deadlock. Break it: take its locks in the",
    "app.Orders.find, false, These threads are in the deadlock. Break it: take its locks in the",
    "app.Other.find, true, 'No thread got it any more, and the recording ends in a deadlock'",
    "app.Other.find, false, Hold it for less time"
  })
  void aDeadlockIsBrokenNotHeldShorter(String method, boolean stalled, String advice) {
    String lock = "java.util.concurrent.locks.ReentrantLock.lock";
    HangPlace place = new HangPlace("app.Orders.find", "", "ReentrantLock$NonfairSync", "");
    RecordingData hung = new Pins().hang("LockCycle", List.of(place), "deadlock").data();
    String said = advice(hung, stalled, lock, method);
    assertTrue(said.startsWith(advice), said);
    assertEquals(said.contains("eadlock"), said.contains("same order everywhere"), said);
  }

  @Test
  void whatIsNoLockIsNotPartOfADeadlock() {
    HangPlace place = new HangPlace("app.Orders.find", "", "ReentrantLock$NonfairSync", "");
    RecordingData hung = new Pins().hang("LockCycle", List.of(place), "deadlock").data();
    String latch = "java.util.concurrent.CountDownLatch.await";
    assertFalse(advice(hung, true, latch, "app.Other.find").contains("deadlock"));
  }

  @Test
  void aPoolThatHasFreeObjectsHasAnotherFault() {
    for (int look = 1; look <= LOOKS; look++) {
      pools.add(new SeenPool(look, "HikariCP", "orders", 10, 3, 40));
    }
    String method = "com.zaxxer.hikari.pool.HikariPool.getConnection";
    assertEquals(advice(false, method, "app.A.b"), advice(true, method, "app.A.b"));
  }
}
