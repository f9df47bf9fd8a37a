package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.ends.FailedThreads;
import io.github.vtdiag.agent.ends.LoopTargetsTest;
import io.github.vtdiag.agent.ends.ProgramEnd;
import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.threads.ThreadSnapshots;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlatformLoopsTest {
  private static final long PERIOD = TimeUnit.SECONDS.toNanos(5);

  private interface Body {
    void run() throws InterruptedException;
  }

  /** A state that never changes. */
  private static final class Never {
    private volatile boolean ready;
    private volatile boolean stopped;
    private String answer;

    void awaitReady() throws InterruptedException {
      while (!ready) {
        Thread.sleep(10_000);
      }
    }

    void serve() throws InterruptedException {
      while (!stopped) {
        Thread.sleep(10_000);
      }
    }

    @SuppressWarnings("InfiniteLoop")
    void awaitChanges() throws InterruptedException {
      while (true) {
        while (!ready) {
          Thread.sleep(10_000);
        }
        ready = false;
      }
    }

    void makeReady(Semaphore work) throws InterruptedException {
      work.acquire();
      ready = true;
    }

    void stop() {
      stopped = true;
    }

    void poll(BlockingQueue<String> queue) throws InterruptedException {
      String polled = null;
      while (polled == null) {
        polled = queue.poll(10, TimeUnit.SECONDS);
      }
      answer = polled;
    }

    void give(BlockingQueue<String> queue, Semaphore work) throws InterruptedException {
      work.acquire();
      queue.put("done" + answer);
    }

    int pollForFour(BlockingQueue<String> queue) throws InterruptedException {
      int had = 0;
      while (had < 4) {
        String part = queue.poll(10, TimeUnit.SECONDS);
        if (part != null) {
          had++;
        } else {
          System.out.println("waits");
        }
      }
      return had;
    }

    List<String> collectFour(BlockingQueue<String> queue) throws InterruptedException {
      List<String> parts = new ArrayList<>();
      do {
        String part = queue.poll(10, TimeUnit.SECONDS);
        if (part != null) {
          parts.add(part);
        }
      } while (parts.size() < 4);
      return parts;
    }

    int pollFourTimes(BlockingQueue<String> queue) throws InterruptedException {
      int had = 0;
      for (int times = 0; times < 4 && had < 4; times++) {
        if (queue.poll(10, TimeUnit.SECONDS) != null) {
          had++;
        }
      }
      return had;
    }

    int pollUntilTold(BlockingQueue<String> queue) throws InterruptedException {
      int had = 0;
      while (had < 4 && !stopped) {
        if (queue.poll(10, TimeUnit.SECONDS) != null) {
          had++;
        }
      }
      return had;
    }

    @SuppressWarnings("InfiniteLoop")
    void work(BlockingQueue<String> queue) throws InterruptedException {
      int had = 0;
      while (true) {
        if (queue.poll(10, TimeUnit.SECONDS) != null) {
          had++;
        }
        answer = "had " + had;
      }
    }

    void drain(AtomicInteger inFlight) throws InterruptedException {
      while (inFlight.get() > 0) {
        Thread.sleep(10_000);
      }
    }

    void request(AtomicInteger inFlight) {
      if (!stopped) {
        throw new IllegalStateException("no answer");
      }
      inFlight.decrementAndGet();
    }

    void requestLater(AtomicInteger inFlight, Semaphore work) throws InterruptedException {
      work.acquire();
      inFlight.decrementAndGet();
    }

    void putOne(BlockingQueue<String> queue) {
      if (!stopped) {
        throw new IllegalStateException("no part");
      }
      queue.add("part");
    }

    void awaitEnd(CountDownLatch end) throws InterruptedException {
      while (!end.await(10, TimeUnit.SECONDS)) {
        System.out.println("lives");
      }
    }

    void lock(ReentrantLock lock) throws InterruptedException {
      while (!lock.tryLock(10, TimeUnit.SECONDS)) {
        System.out.println("waits");
      }
      lock.unlock();
    }
  }

  private final List<Thread> threads = new ArrayList<>();
  private final ExecutorService executor = Executors.newSingleThreadExecutor();
  private final List<Throwable> thrown = new ArrayList<>();
  private final FailedThreads failures =
      new FailedThreads(LoopTargetsTest.CLASSES, () -> thrown, () -> 0, false);
  private final PlatformLoops loops =
      new PlatformLoops(
          LoopTargetsTest.CLASSES,
          new ProgramEnd(LoopTargetsTest.CLASSES, () -> threads, each -> {}),
          failures,
          () -> threads,
          stack -> 7);

  @AfterEach
  void end() throws InterruptedException {
    executor.shutdownNow();
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join(10_000);
    }
  }

  private static void runQuietly(Body body) {
    try {
      body.run();
    } catch (InterruptedException e) {
      // It has been seen.
    }
  }

  private void start(Body body) {
    Thread thread = Thread.ofPlatform().daemon().start(() -> runQuietly(body));
    threads.add(thread);
    await(thread);
  }

  private static void await(Thread thread) {
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  private List<LongWait> look() {
    List<LongWait> told = List.of();
    for (int i = 0; i < 4; i++) {
      told = loops.of(i, PERIOD);
    }
    return told;
  }

  private void assertTold(String until) {
    List<LongWait> told = look();
    assertEquals(1, told.size(), told::toString);
    assertEquals(new WaitDetail(WaitDetail.Kind.PLATFORM_LOOP, until), told.getFirst().detail());
    assertEquals(3 * PERIOD, told.getFirst().longestNanos());
  }

  @Test
  void whoSleepsUntilAFieldChangesThatNobodyWrites() {
    start(new Never()::awaitReady);
    assertTold(Never.class.getName() + ".ready changes");
  }

  @Test
  void aThreadThatLivesMayWriteTheField() {
    Never never = new Never();
    start(never::awaitReady);
    start(() -> never.makeReady(new Semaphore(0)));
    assertEquals(List.of(), look());
  }

  @Test
  void aServiceGoesOnUntilItIsStopped() {
    Never never = new Never();
    start(never::serve);
    start(() -> never.awaitEnd(new CountDownLatch(1)));
    assertEquals(List.of(), look());
    never.stop();
  }

  @Test
  void whoComesBackHasLeft() {
    start(new Never()::awaitChanges);
    assertEquals(List.of(), look());
  }

  @Test
  void aTaskMayBeAnotherOneEachTime() throws Exception {
    threads.add(executor.submit(Thread::currentThread).get());
    executor.execute(() -> runQuietly(new Never()::awaitReady));
    while (threads.getFirst().getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertEquals(List.of(), look());
  }

  @Test
  void whoPollsUntilSomethingComesThatNobodyPuts() {
    BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    start(() -> new Never().poll(queue));
    assertTold("BlockingQueue.poll() succeeds");
  }

  @Test
  void aThreadThatLivesMayPutIt() {
    BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    start(() -> new Never().poll(queue));
    start(() -> new Never().give(queue, new Semaphore(0)));
    assertEquals(List.of(), look());
  }

  private interface Polling {
    void poll(Never never, BlockingQueue<String> queue) throws InterruptedException;
  }

  private BlockingQueue<String> startPolling(Polling polling, boolean fails) {
    BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    Never never = new Never();
    start(() -> polling.poll(never, queue));
    if (fails) {
      try {
        never.putOne(queue);
      } catch (IllegalStateException e) {
        thrown.add(e);
      }
      failures.look();
    }
    return queue;
  }

  @Test
  void aPartMayComeThatNobodyFailedToPut() {
    startPolling(Never::pollForFour, false);
    assertEquals(List.of(), look());
  }

  @Test
  void whoPollsSoOftenOrUntilItIsToldOrForEverMayGoOn() {
    startPolling(Never::pollFourTimes, true);
    startPolling(Never::pollUntilTold, true);
    startPolling(Never::work, true);
    assertEquals(List.of(), look());
  }

  @Test
  void whoPollsForANumberOfPartsWaitsForTheOneThatFailed() {
    startPolling(Never::pollForFour, true);
    startPolling(Never::collectFour, true);
    List<LongWait> told = look();
    assertEquals(2, told.size(), told::toString);
    String failure = "java.lang.IllegalStateException in " + Never.class.getName() + ".putOne:";
    for (LongWait wait : told) {
      assertEquals(WaitDetail.Kind.PLATFORM_LEFT, wait.detail().kind());
      assertTrue(wait.detail().name().startsWith(failure), wait::toString);
      assertEquals(3 * PERIOD, wait.longestNanos());
    }
  }

  @Test
  void aThreadThatLivesMayPutTheOtherParts() {
    BlockingQueue<String> queue = startPolling(Never::pollForFour, true);
    start(() -> new Never().give(queue, new Semaphore(0)));
    assertEquals(List.of(), look());
  }

  @Test
  void aCountThatAFailedThreadHadToChangeIsAwaitedInVain() {
    AtomicInteger inFlight = new AtomicInteger(1);
    Never never = new Never();
    start(() -> never.drain(inFlight));
    assertEquals(List.of(), look(), "nobody has failed");
    try {
      never.request(inFlight);
    } catch (IllegalStateException e) {
      thrown.add(e);
    }
    failures.look();
    List<LongWait> told = look();
    assertEquals(1, told.size(), told::toString);
    assertEquals(WaitDetail.Kind.PLATFORM_LEFT, told.getFirst().detail().kind());
  }

  @Test
  void aThreadThatLivesMayChangeTheCount() {
    AtomicInteger inFlight = new AtomicInteger(2);
    Never never = new Never();
    start(() -> never.drain(inFlight));
    start(() -> never.requestLater(inFlight, new Semaphore(0)));
    try {
      never.request(inFlight);
    } catch (IllegalStateException e) {
      thrown.add(e);
    }
    failures.look();
    assertEquals(List.of(), look());
  }

  @Test
  void threadsOfTheAgentEndNoWaitOfTheProgram() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    Thread ofAgent =
        AgentThread.daemon(
            "of agent",
            () -> {
              begun.countDown();
              runQuietly(end::await);
            });
    ofAgent.start();
    start(() -> new Never().awaitReady());
    begun.await();
    List<Thread> seen = ThreadSnapshots.platformThreadsOfProgram();
    assertTrue(seen.containsAll(threads));
    assertFalse(seen.contains(ofAgent));
    end.countDown();
    ofAgent.join();
  }

  @Test
  void whoTriesALockWhoseOwnerHasEnded() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    Thread owner = Thread.ofPlatform().start(lock::lock);
    owner.join();
    start(() -> new Never().lock(lock));
    assertTold("ReentrantLock.tryLock() succeeds");
  }
}
