package io.github.vtdiag.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.testing.MadeFrames;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnownWaitsTest {
  private static final String APP = "app.Orders.find";

  private static Awaited of(Thread.State state, String... methods) {
    return KnownWaits.of(new StackTrace(MadeFrames.of(methods), false), state);
  }

  private static Awaited parkedIn(String... methods) {
    return of(
        Thread.State.WAITING,
        Stream.concat(
                Stream.of("java.util.concurrent.locks.LockSupport.park"), Arrays.stream(methods))
            .toArray(String[]::new));
  }

  /** An idle worker may call a class so whose name only begins like that. */
  @ParameterizedTest
  @ValueSource(strings = {"app.Worker.idle", "org.jboss.FutureWorker.run", "app.Promises$Loop.run"})
  void aParkIsNoFuture(String method) {
    assertEquals(Awaited.Kind.UNKNOWN, parkedIn(method, APP).kind());
  }

  @Test
  void aTakeFromADistributedQueueIsIdle() {
    assertEquals(
        Awaited.Kind.UNKNOWN,
        parkedIn(
                "com.hazelcast.spi.impl.AbstractInvocationFuture.manageParking",
                "com.hazelcast.spi.impl.AbstractInvocationFuture.get",
                "com.hazelcast.collection.impl.queue.QueueProxySupport.pollInternal",
                "com.hazelcast.collection.impl.queue.QueueProxyImpl.take",
                APP)
            .kind());
  }

  /** How long a result takes, the name does not tell: so idle threads may wait for it. */
  @ParameterizedTest
  @CsvSource({
    "com.hazelcast.spi.impl.AbstractInvocationFuture.manageParking, AbstractInvocationFuture",
    "org.apache.ignite.internal.util.future.GridFutureAdapter.get0, GridFutureAdapter",
    "app.Promise$Latch.await, Promise"
  })
  void aParkInAFutureOfALibraryAwaitsItsResult(String method, String subject) {
    Awaited awaited = parkedIn(method, "com.hazelcast.map.impl.proxy.MapProxyImpl.get", APP);
    assertEquals(Awaited.Kind.FUTURE, awaited.kind());
    assertEquals(subject, awaited.subject());
    assertFalse(awaited.isNeverOfIdle());
  }

  /** Only the method of a library that asks tells its wait from that of an idle worker. */
  @ParameterizedTest
  @CsvSource({
    "app.Worker.run, SIGNAL, Object.wait",
    "app.OrderFuture.get, SIGNAL, Object.wait",
    "io.netty.util.concurrent.SingleThreadEventExecutor.run, SIGNAL, Object.wait",
    "io.netty.util.concurrent.DefaultPromise.await, FUTURE, DefaultPromise",
    "com.rabbitmq.utility.BlockingCell.uninterruptibleGet, ANSWER, RabbitMQ",
    "org.apache.sshd.client.channel.AbstractClientChannel.waitFor, ANSWER, SSH",
    "org.apache.sshd.common.future.DefaultSshFuture.await0, FUTURE, SSH future",
    "org.apache.zookeeper.ClientCnxn.submitRequest, ANSWER, ZooKeeper",
    "org.apache.http.concurrent.BasicFuture.get, FUTURE, HttpCore future",
    "org.apache.hc.core5.concurrent.BasicFuture.get, FUTURE, HttpCore future"
  })
  void aNotificationInAClientIsAnAnswer(String method, Awaited.Kind kind, String subject) {
    Awaited awaited = of(Thread.State.WAITING, "java.lang.Object.wait", method, APP);
    assertEquals(kind, awaited.kind());
    assertEquals(subject, awaited.subject());
  }

  @Test
  void aLockOfHazelcastIsALock() {
    Awaited awaited =
        parkedIn(
            "com.hazelcast.spi.impl.AbstractInvocationFuture.manageParking",
            "com.hazelcast.spi.impl.AbstractInvocationFuture.joinInternal",
            "com.hazelcast.internal.locksupport.LockProxySupport.lock",
            "com.hazelcast.map.impl.proxy.MapProxyImpl.lock",
            APP);
    assertEquals(Awaited.Kind.LOCK, awaited.kind());
    assertEquals("Hazelcast lock", awaited.subject());
  }

  @Test
  void whatIsBelowAFrameOfTheApplicationIsNotWaitedFor() {
    assertEquals(
        Awaited.Kind.UNKNOWN,
        of(Thread.State.WAITING, APP, "java.util.concurrent.Semaphore.acquire").kind());
  }

  @ParameterizedTest
  @CsvSource({
    "java.util.concurrent.Semaphore.acquire, SEMAPHORE, Semaphore",
    "java.io.FileInputStream.readBytes, IDLE, input",
    "sun.nio.ch.FileChannelImpl.lock, LOCK, file lock",
    "java.util.concurrent.ExecutorCompletionService.take, FUTURE, ExecutorCompletionService",
    "java.util.concurrent.ExecutorCompletionService.poll, IDLE, ExecutorCompletionService",
    "java.util.concurrent.locks.LockSupport.park, UNKNOWN, ''"
  })
  void theJdksMethodsSayWhatIsWaitedFor(String method, Awaited.Kind kind, String subject) {
    Awaited awaited = of(Thread.State.WAITING, method, APP);
    assertEquals(kind, awaited.kind());
    assertEquals(subject, awaited.subject());
  }

  /** Nothing shows which threads work on the first result, and whether they go on. */
  @ParameterizedTest
  @CsvSource({
    "ThreadPerTaskExecutor, invokeAll, true",
    "ThreadPerTaskExecutor, close, true",
    "ThreadPerTaskExecutor, invokeAny, false",
    "AbstractExecutorService, invokeAll, true",
    "AbstractExecutorService, invokeAny, false"
  })
  void theFirstResultOfSeveralMayTakeAnyTime(String type, String method, boolean never) {
    Awaited awaited = of(Thread.State.WAITING, "java.util.concurrent." + type + "." + method, APP);
    assertEquals("ExecutorService", awaited.subject());
    assertEquals(never, awaited.isNeverOfIdle());
  }

  /** A class of the application extends the JDK's synchronizer. */
  @ParameterizedTest
  @CsvSource({
    "AbstractQueuedSynchronizer, acquire, LOCK, lock",
    "AbstractQueuedSynchronizer, acquireInterruptibly, LOCK, lock",
    "AbstractQueuedLongSynchronizer, tryAcquireNanos, LOCK, lock",
    // Workers may wait like that until there is something to do.
    "AbstractQueuedSynchronizer, acquireShared, UNKNOWN, ''",
    "AbstractQueuedLongSynchronizer, acquireSharedInterruptibly, UNKNOWN, ''"
  })
  void anExclusiveSynchronizerIsALock(
      String type, String method, Awaited.Kind kind, String subject) {
    String inside = "java.util.concurrent.locks." + type + ".";
    Awaited awaited =
        of(Thread.State.WAITING, inside + "acquire", inside + method, "app.Mutex.lock", APP);
    assertEquals(kind, awaited.kind());
    assertEquals(subject, awaited.subject());
  }

  /** It awaits a latch of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"close", "awaitTermination"})
  void theEndOfAForkJoinPoolIsAwaited(String method) {
    assertEquals(
        "ExecutorService",
        of(
                Thread.State.WAITING,
                "java.util.concurrent.CountDownLatch.await",
                "java.util.concurrent.ForkJoinPool." + method,
                APP)
            .subject());
  }

  @Test
  void aConditionThatTakesItsLockBackIsAwaited() {
    String locks = "java.util.concurrent.locks.AbstractQueuedSynchronizer";
    assertEquals(
        "Condition",
        of(Thread.State.WAITING, locks + ".acquire", locks + "$ConditionObject.await", APP)
            .subject());
  }

  /** It awaits a latch inside, which is nobody's business. */
  @Test
  void theOutermostMethodOfTheJdkCounts() {
    Awaited awaited =
        of(
            Thread.State.WAITING,
            "java.util.concurrent.CountDownLatch.await",
            "sun.nio.ch.PendingFuture.get",
            APP);
    assertEquals(Awaited.Kind.DATA, awaited.kind());
    assertEquals("Future", awaited.subject());
  }

  /** Its elements come meanwhile, which a single value's do not. */
  @Test
  void theEndOfAStreamMayTakeAnyTime() {
    String[] blocking = {
      "java.util.concurrent.CountDownLatch.await",
      "reactor.core.publisher.BlockingSingleSubscriber.blockingGet",
      "reactor.core.publisher.Flux.blockLast",
      APP
    };
    assertTrue(of(Thread.State.WAITING, blocking).is(Awaited.Trait.LASTING));
    blocking[2] = "reactor.core.publisher.Mono.block";
    assertEquals("Reactor", of(Thread.State.WAITING, blocking).subject());
    assertFalse(of(Thread.State.WAITING, blocking).is(Awaited.Trait.LASTING));
  }

  @Test
  void whoRunsAndStandsStillIsInNativeCodeUnlessTheJdksMethodSaysWhatFor() {
    assertEquals("native code", of(Thread.State.RUNNABLE, APP).subject());
    assertEquals("input", of(Thread.State.RUNNABLE, "java.io.FileInputStream.read", APP).subject());
    assertEquals(
        "Thread.yield", of(Thread.State.RUNNABLE, "java.lang.Thread.yield", APP).subject());
  }

  /** Such a queue is never full. */
  @ParameterizedTest
  @CsvSource({
    "java.util.concurrent.LinkedTransferQueue.transfer, true",
    "java.util.concurrent.SynchronousQueue.put, true",
    "java.util.concurrent.ArrayBlockingQueue.put, false"
  })
  void anElementIsHandedToATaker(String method, boolean handover) {
    assertEquals(handover, of(Thread.State.WAITING, method).is(Awaited.Trait.HANDOVER));
  }

  /** A cleaner comes back to its queue, which code that is no loop does not. */
  @ParameterizedTest
  @CsvSource({
    "java.lang.ref.ReferenceQueue.remove, true",
    "sun.nio.ch.SelectorImpl.select, true",
    "java.util.concurrent.LinkedBlockingQueue.take, true",
    "java.util.concurrent.DelayQueue.take, false"
  })
  void mayBeAskedFor(String method, boolean asked) {
    assertEquals(asked, of(Thread.State.WAITING, method, APP).mayBeAskedFor(Thread.State.WAITING));
    assertFalse(
        of(Thread.State.TIMED_WAITING, method, APP).mayBeAskedFor(Thread.State.TIMED_WAITING));
  }
}
