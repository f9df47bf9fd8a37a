package io.github.vtdiag.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.testing.MadeFrames;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LibraryLocksTest {
  private static final String WAIT = "java.lang.Object.wait";

  private static final String PARK = "java.util.concurrent.locks.LockSupport.park";

  private static final String CURATOR = "org.apache.curator.framework.recipes.";

  private static Awaited of(Thread.State state, String... methods) {
    return KnownWaits.of(new StackTrace(MadeFrames.of(methods), false), state);
  }

  private static Awaited waitingIn(String... methods) {
    return of(
        Thread.State.WAITING,
        Stream.concat(Stream.of(WAIT), Arrays.stream(methods)).toArray(String[]::new));
  }

  /** Workers of the application may wait in a method of that name, and the name may go on. */
  @ParameterizedTest
  @CsvSource({
    "app.Jobs.acquire",
    "app.Mutex.lock",
    "org.quartz.impl.JobStore.acquireNextTriggers",
    "org.apache.curator.framework.recipes.barriers.DistributedBarrier.waitOnBarrier"
  })
  void aNotificationInAnotherMethodIsNoLock(String method) {
    assertTrue(waitingIn(method, "app.Orders.run").isSignalOfWorkers());
  }

  @Test
  void aCandidateForLeadershipWaitsForNoLock() {
    Awaited selector =
        waitingIn(
            CURATOR + "locks.LockInternals.internalLockLoop",
            CURATOR + "locks.InterProcessMutex.acquire",
            CURATOR + "leader.LeaderSelector.doWork",
            "java.util.concurrent.FutureTask.run");
    assertTrue(selector.isSignalOfWorkers());
    Awaited latch = waitingIn(CURATOR + "leader.LeaderLatch.await", "app.Orders.run");
    assertEquals(Awaited.Kind.IDLE, latch.kind());
  }

  @Test
  void anAttemptWithATimeoutIsNoWaitForALock() {
    Awaited awaited =
        of(
            Thread.State.TIMED_WAITING,
            WAIT,
            CURATOR + "locks.InterProcessMutex.acquire",
            "app.Orders.run");
    assertTrue(awaited.isSignalOfWorkers());
  }

  @ParameterizedTest
  @CsvSource({
    "org.apache.curator.framework.recipes.locks.InterProcessMutex.acquire, LOCK, InterProcessMutex",
    "org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2.acquire, SEMAPHORE,"
        + " InterProcessSemaphoreV2",
    "org.infinispan.lock.impl.ClusteredLocks$Handle.lock, LOCK, Handle"
  })
  void anApplicationThatAsksALibraryForALockWaitsForIt(
      String method, Awaited.Kind kind, String subject) {
    Awaited awaited =
        waitingIn(CURATOR + "locks.LockInternals.internalLockLoop", method, "app.A.b");
    assertEquals(kind, awaited.kind());
    assertEquals(subject, awaited.subject());
    assertEquals(kind, of(Thread.State.WAITING, PARK, method, "app.A.b").kind());
  }
}
