package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.ends.FailedThreads;
import io.github.vtdiag.agent.ends.FutureWaits;
import io.github.vtdiag.agent.ends.LoopTargetsTest;
import io.github.vtdiag.agent.ends.ProgramEnd;
import io.github.vtdiag.agent.threads.ThreadSnapshots;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import io.github.vtdiag.watch.CarrierStates;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlatformWaitsTest {
  private static final long PERIOD = TimeUnit.SECONDS.toNanos(5);

  /** The first look sees that they wait, the second one where. */
  private static final int FIRST_TOLD = 2;

  /** A thread may go on once more when it has just come to wait. */
  private static final int MOST_LOOKS = 200;

  private interface Body {
    void run() throws InterruptedException;
  }

  private final List<Thread> threads = new ArrayList<>();
  private final Map<Thread, Long> waitNumbers = new HashMap<>();
  private boolean atExit;
  private boolean oneFuture;
  private boolean periodic;
  private boolean comesAgain;
  private Optional<Thread> runner = Optional.empty();
  private final Timer timer = new Timer(true);
  private final List<ExecutorService> executors = new ArrayList<>();
  private final List<Throwable> thrown = new ArrayList<>();
  private final Semaphore work = new Semaphore(0);
  private final FailedThreads failures =
      new FailedThreads(LoopTargetsTest.CLASSES, () -> thrown, () -> 0, false);
  private final PlatformWaits waits =
      new PlatformWaits(
          new CarrierStates() {
            @Override
            public boolean mayWantProcessor(Thread carrier) {
              throw new AssertionError(carrier);
            }

            @Override
            public boolean isInNative(Thread carrier) {
              throw new AssertionError(carrier);
            }

            @Override
            public OptionalInt inNative(List<Thread> carriers) {
              throw new AssertionError(carriers);
            }

            @Override
            public boolean readsPipe(Thread carrier) {
              throw new AssertionError(carrier);
            }

            @Override
            public long waitNumber(Thread carrier, Thread.State state) {
              // A thread at another place is in another wait, such as for a class on its way.
              return waitNumbers.getOrDefault(carrier, 1L)
                  + Arrays.hashCode(carrier.getStackTrace());
            }

            @Override
            public void close() {
              // opens nothing
            }
          },
          new ProgramEnd(LoopTargetsTest.CLASSES, () -> threads, each -> {}),
          failures,
          new FutureWaits() {
            @Override
            public Object first(Object lock) {
              return oneFuture ? "one" : super.first(lock);
            }

            @Override
            public Optional<Thread> runner(Object lock) {
              return runner;
            }

            @Override
            public boolean isPeriodic(Object lock) {
              return periodic;
            }

            @Override
            public boolean comesAgain(Object lock) {
              return periodic && comesAgain;
            }
          },
          () -> threads,
          blocker -> atExit && blocker != null,
          stack -> 7);

  @AfterEach
  void end() throws InterruptedException {
    timer.cancel();
    work.release();
    executors.forEach(ExecutorService::shutdownNow);
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join(10_000);
    }
  }

  private Thread start(boolean daemon, Body body) {
    Thread thread =
        Thread.ofPlatform()
            .daemon(daemon)
            .start(
                () -> {
                  try {
                    body.run();
                  } catch (InterruptedException e) {
                    // It has been seen.
                  }
                });
    awaitWaiting(thread);
    threads.add(thread);
    return thread;
  }

  private static void awaitWaiting(Thread thread) {
    // It may wait on its way, such as for a class.
    while (!isThere(thread)) {
      Thread.onSpinWait();
    }
  }

  private static boolean isThere(Thread thread) {
    return LockSupport.getBlocker(thread) != null
        && (thread.getState() == Thread.State.WAITING
            || thread.getState() == Thread.State.TIMED_WAITING);
  }

  /** Returns what is told after so many looks, at a program that has virtual threads. */
  private List<LongWait> look(int times) {
    return look(times, 10);
  }

  /** Returns what is told first. */
  private LongWait first(long alive) {
    List<LongWait> told = look(FIRST_TOLD, alive);
    for (int i = 0; i < MOST_LOOKS && told.isEmpty(); i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      told = look(1, alive);
    }
    return only(told);
  }

  private List<LongWait> look(int times, long alive) {
    List<LongWait> told = List.of();
    for (int i = 0; i < times; i++) {
      told = waits.of(i, alive, PERIOD);
    }
    return told;
  }

  private static LongWait only(List<LongWait> told) {
    assertEquals(1, told.size(), told::toString);
    assertEquals(WaitDetail.of(WaitDetail.Kind.PLATFORM), told.getFirst().detail());
    return told.getFirst();
  }

  @Test
  void requestsAreToldOnceTheyHaveWaitedLongEnough() {
    Semaphore permits = new Semaphore(0);
    for (int i = 0; i < 3; i++) {
      start(true, () -> permits.acquire());
    }
    assertEquals(List.of(), look(1), "just seen");
    LongWait told = only(look(1));
    assertEquals(3, told.threads());
    assertEquals(PERIOD, told.longestNanos());
    assertEquals(Thread.State.WAITING, told.state());
    assertTrue(told.lockIdentity() != 0);
    assertEquals(6 * PERIOD, only(look(5)).longestNanos());
  }

  @Test
  void whoGoesOnShowsThatTheOthersOnlyWaitForTheirTurn() {
    Semaphore permits = new Semaphore(0);
    for (int i = 0; i < 3; i++) {
      start(true, () -> permits.acquire());
    }
    only(look(6));
    waitNumbers.put(threads.getFirst(), 2L);
    assertEquals(List.of(), look(1));
    LongWait again = only(look(1));
    assertEquals(PERIOD, again.longestNanos(), "since one of them went on");
    waitNumbers.put(threads.getFirst(), 3L);
    assertEquals(List.of(), look(1));
  }

  @Test
  void nothingIsKeptOfAThreadThatHasEnded() throws InterruptedException {
    Semaphore permits = new Semaphore(0);
    Body acquire = () -> permits.acquire();
    WeakReference<Thread> ended = new WeakReference<>(start(true, acquire));
    start(true, acquire);
    only(look(3));
    threads.getFirst().interrupt();
    threads.getFirst().join();
    threads.removeFirst();
    assertEquals(List.of(), look(2), "the other one is alone");
    for (int i = 0; i < 50 && ended.get() != null; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertNull(ended.get());
  }

  @Test
  void whatAShutdownHookEndsIsTheEndOfTheProgram() {
    atExit = true;
    Semaphore permits = new Semaphore(0);
    for (int i = 0; i < 3; i++) {
      start(true, () -> permits.acquire());
    }
    assertEquals(List.of(), look(10));
  }

  @Test
  void whoWaitsAloneMayKeepTheProgramAlive() {
    CountDownLatch end = new CountDownLatch(1);
    start(false, () -> end.await());
    CompletableFuture<Integer> never = new CompletableFuture<>();
    start(false, () -> never.join());
    assertEquals(List.of(), look(10));
    never.complete(1);
  }

  /** Parts of a work that are counted, and a service that is told to end. */
  private static final class Parts {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int left = 1;
    private boolean stopped;

    void await() throws InterruptedException {
      lock.lock();
      try {
        while (left > 0) {
          changed.await();
        }
      } finally {
        lock.unlock();
      }
    }

    void awaitStop() throws InterruptedException {
      lock.lock();
      try {
        while (!stopped) {
          changed.await();
        }
      } finally {
        lock.unlock();
      }
    }

    void doneAfter(Semaphore work) throws InterruptedException {
      work.acquire();
      left--;
      stopped = true;
    }
  }

  @Test
  void aMainThreadThatAwaitsWhatNobodyDoesIsTold() {
    Parts parts = new Parts();
    start(false, parts::await);
    LongWait told = look(10).getFirst();
    assertEquals(WaitDetail.Kind.PLATFORM_LOOP, told.detail().kind());
    assertTrue(told.detail().name().endsWith("Parts.left changes"), told::toString);
  }

  @Test
  void aMainThreadThatAwaitsWhatAnotherOneHasAheadIsNot() {
    Parts parts = new Parts();
    start(false, parts::await);
    start(true, () -> parts.doneAfter(work));
    assertEquals(List.of(), look(10));
  }

  @Test
  void aMainThreadThatAwaitsTheEndOfTheProgramIsNot() {
    start(false, new Parts()::awaitStop);
    assertEquals(List.of(), look(10));
  }

  private static void failThenCountDown(CountDownLatch latch) {
    if (latch.getCount() > 0) {
      throw new IllegalStateException();
    }
    latch.countDown();
  }

  private void fail(Runnable body) {
    try {
      body.run();
    } catch (IllegalStateException e) {
      thrown.add(e);
    }
    failures.look();
  }

  private void tellsOfTheFailure() {
    LongWait told = look(10).getFirst();
    assertEquals(WaitDetail.Kind.PLATFORM_LEFT, told.detail().kind());
    assertTrue(
        told.detail().name().startsWith("java.lang.IllegalStateException in "), told::toString);
  }

  @Test
  void whoWaitsForWhatHasFailedDoesNotKeepTheProgramAlive() {
    CountDownLatch end = new CountDownLatch(1);
    start(false, () -> end.await());
    assertEquals(List.of(), look(3));
    fail(() -> failThenCountDown(end));
    tellsOfTheFailure();
  }

  private static void workThenCountDown(CountDownLatch latch, Semaphore work) {
    work.acquireUninterruptibly();
    if (latch.getCount() > 0) {
      throw new IllegalStateException();
    }
    latch.countDown();
  }

  @Test
  void anotherMayDoWhatHasFailed() {
    CountDownLatch end = new CountDownLatch(1);
    start(false, () -> end.await());
    start(true, () -> workThenCountDown(new CountDownLatch(0), work));
    fail(() -> workThenCountDown(end, new Semaphore(1)));
    assertEquals(List.of(), look(10));
  }

  @Test
  void whereNothingElseGoesOnNobodyEndsTheWait() {
    CountDownLatch end = new CountDownLatch(1);
    start(false, () -> end.await());
    assertEquals(1, first(0).threads());
    assertEquals(List.of(), look(1, 1), "a virtual thread lives");
  }

  @Test
  void whereATimerGoesOnSomethingMayEndTheWait() {
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            // It is due much later.
          }
        },
        TimeUnit.DAYS.toMillis(1));
    CountDownLatch end = new CountDownLatch(1);
    start(false, () -> end.await());
    threads.addAll(
        ThreadSnapshots.platformThreads().stream()
            .filter(thread -> thread.getName().startsWith("Timer-"))
            .toList());
    assertEquals(List.of(), look(10, 0));
  }

  @Test
  void anIdleWorkerDoesNotGoOnBecauseItWaitsWithATimeout() {
    ThreadPoolExecutor cached =
        new ThreadPoolExecutor(0, 1, 1, TimeUnit.HOURS, new SynchronousQueue<>(), this::keep);
    executors.add(cached);
    cached.execute(() -> {});
    CountDownLatch end = new CountDownLatch(1);
    awaitWaiting(threads.getFirst());
    start(false, () -> end.await());
    assertEquals(1, first(0).threads());
  }

  @Test
  void oneWhoseTaskIsDueLaterDoes() {
    ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(this::keep);
    executors.add(scheduler);
    Future<?> due = scheduler.schedule(() -> {}, 1, TimeUnit.DAYS);
    CountDownLatch end = new CountDownLatch(1);
    awaitWaiting(threads.getFirst());
    start(false, () -> end.await());
    assertEquals(List.of(), look(10, 0));
    assertFalse(due.isDone());
  }

  private Thread keep(Runnable task) {
    Thread thread = Thread.ofPlatform().unstarted(task);
    threads.add(thread);
    return thread;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void awaitParts(int parts) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(parts);
    done.await();
  }

  private static void awaitPartsAgain(int parts) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(parts);
    while (!done.await(10, TimeUnit.SECONDS)) {
      System.out.println("not yet");
    }
  }

  @Test
  void whoAwaitsPartsOfItsWorkDoesNotKeepTheProgramAlive() {
    start(false, () -> awaitParts(2));
    assertEquals(1, first(10).threads());
  }

  @Test
  void whoAwaitsPartsWithATimeoutDoesNotEither() {
    start(false, () -> awaitPartsAgain(2));
    LongWait told = first(10);
    assertTrue(told.repeated());
    assertEquals(Thread.State.TIMED_WAITING, told.state());
  }

  private static void workAndCountDown(CountDownLatch latch, Semaphore work)
      throws InterruptedException {
    work.acquire();
    latch.countDown();
  }

  @Test
  void partsMayComeWhileAThreadHasThemAhead() {
    start(false, () -> awaitParts(2));
    Semaphore work = new Semaphore(0);
    start(true, () -> workAndCountDown(new CountDownLatch(2), work));
    assertEquals(List.of(), look(10));
  }

  private static int addLost(CompletableFuture<Integer> lost) {
    return CompletableFuture.completedFuture(1).thenCombine(lost, Integer::sum).join();
  }

  private static void awaitThenComplete(Semaphore work, CompletableFuture<Integer> future)
      throws InterruptedException {
    work.acquire();
    future.complete(1);
  }

  @Test
  void whoCombinesResultsDoesNotKeepTheProgramAlive() {
    CompletableFuture<Integer> lost = new CompletableFuture<>();
    start(false, () -> addLost(lost));
    assertEquals(1, first(10).threads());
    lost.complete(1);
  }

  @Test
  void aResultMayComeWhileAThreadHasItAhead() {
    CompletableFuture<Integer> late = new CompletableFuture<>();
    start(false, () -> addLost(late));
    start(true, () -> awaitThenComplete(new Semaphore(0), late));
    assertEquals(List.of(), look(10));
    late.complete(1);
  }

  private static void getQuietly(FutureTask<?> task) throws InterruptedException {
    try {
      task.get();
    } catch (ExecutionException e) {
      // The test has ended.
    }
  }

  @Test
  void aTaskThatNobodyRunsIsNoSignalToEnd() {
    FutureTask<Integer> dropped = new FutureTask<>(() -> 1);
    start(false, () -> getQuietly(dropped));
    assertEquals(1, first(10).threads());
  }

  @Test
  void aTaskThatRunsMayEnd() {
    Semaphore work = new Semaphore(0);
    FutureTask<Integer> task =
        new FutureTask<>(
            () -> {
              work.acquire();
              return 1;
            });
    start(true, task::run);
    start(false, () -> getQuietly(task));
    assertEquals(List.of(), look(10));
  }

  @Test
  void aPeriodicTaskIsAwaitedAsLongAsItComesAgain() {
    periodic = true;
    FutureTask<Integer> task = new FutureTask<>(() -> 1);
    start(false, () -> getQuietly(task));
    assertEquals(1, first(10).threads());
    comesAgain = true;
    assertEquals(List.of(), look(10));
  }

  @Test
  void aPeriodicTaskWhoseThreadSleepsOrWorksGoesOn() {
    periodic = true;
    FutureTask<Boolean> task = new FutureTask<>(() -> work.tryAcquire(2, TimeUnit.MINUTES));
    runner = Optional.of(start(true, task::run));
    start(false, () -> getQuietly(task));
    assertEquals(List.of(), look(10));
  }

  @Test
  void aPeriodicTaskStandsStillAsItsThreadDoes() {
    periodic = true;
    FutureTask<Integer> task =
        new FutureTask<>(
            () -> {
              work.acquire();
              return 1;
            });
    runner = Optional.of(start(true, task::run));
    start(false, () -> getQuietly(task));
    assertEquals(1, first(10).threads());
  }

  private static void acquireOfEach(int parts) throws InterruptedException {
    Semaphore ended = new Semaphore(0);
    ended.acquire(parts);
  }

  @Test
  void whoTakesAPermitOfEachPartDoesNotKeepTheProgramAlive() {
    start(false, () -> acquireOfEach(3));
    assertEquals(1, first(10).threads());
  }

  private static void workAndRelease(Semaphore work) throws InterruptedException {
    while (true) {
      work.acquire();
      work.release();
    }
  }

  @Test
  void partsMayBeEndedInEachRoundOfALoop() {
    start(false, () -> acquireOfEach(3));
    start(true, () -> workAndRelease(new Semaphore(0)));
    assertEquals(List.of(), look(10));
  }

  @Test
  void aPartyThatNeverComesIsNoSignalToEnd() {
    Phaser phaser = new Phaser(2);
    start(false, () -> phaser.awaitAdvanceInterruptibly(phaser.arrive()));
    assertEquals(1, first(10).threads());
  }

  @Test
  void twoMayKeepServerAliveByOneFuture() throws Exception {
    oneFuture = true;
    CompletableFuture<Integer> end = new CompletableFuture<>();
    Body keeper = () -> end.join();
    try (ServerSocket server = new ServerSocket(0)) {
      acceptor(server);
      for (int i = 0; i < 2; i++) {
        start(false, keeper);
      }
      assertEquals(List.of(), look(10));
      end.complete(1);
    }
  }

  @Test
  void twoWithFuturesOfTheirOwnAreRequests() throws Exception {
    List<CompletableFuture<Integer>> futures =
        List.of(new CompletableFuture<>(), new CompletableFuture<>());
    try (ServerSocket server = new ServerSocket(0)) {
      acceptor(server);
      futures.forEach(own -> start(false, () -> own.join()));
      assertEquals(2, first(10).threads());
      futures.forEach(own -> own.complete(1));
    }
  }

  private Thread acceptor(ServerSocket server) {
    Thread acceptor = Thread.ofPlatform().daemon().start(() -> acceptQuietly(server));
    while (Stream.of(acceptor.getStackTrace())
        .noneMatch(frame -> frame.getMethodName().equals("accept"))) {
      Thread.onSpinWait();
    }
    threads.add(acceptor);
    return acceptor;
  }

  @Test
  void twoMayKeepServerAliveAndThreeAreRequests() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Body keeper = () -> end.await();
    try (ServerSocket server = new ServerSocket(0)) {
      acceptor(server);
      for (int i = 0; i < 2; i++) {
        start(false, keeper);
      }
      assertEquals(List.of(), look(10));
      start(false, keeper);
      assertEquals(3, first(10).threads());
    }
  }

  private static void acceptQuietly(ServerSocket server) {
    try {
      server.accept().close();
    } catch (IOException e) {
      // The test has ended.
    }
  }

  @Test
  void whereNothingIsServedTwoAreRequests() {
    CountDownLatch end = new CountDownLatch(1);
    Semaphore other = new Semaphore(0);
    start(false, () -> other.tryAcquire(1, TimeUnit.HOURS));
    for (int i = 0; i < 2; i++) {
      start(false, () -> end.await());
    }
    assertEquals(2, first(10).threads());
  }

  @Test
  void threadsOfAnExecutorAndDaemonsKeepNothingAlive() {
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 2; i++) {
      start(true, () -> end.await());
    }
    assertEquals(2, first(10).threads());
    ExecutorService executor = Executors.newFixedThreadPool(2, this::keep);
    executors.add(executor);
    threads.clear();
    for (int i = 0; i < 2; i++) {
      executor.execute(() -> awaitQuietly(end));
    }
    threads.forEach(PlatformWaitsTest::awaitWaiting);
    assertEquals(2, first(10).threads());
    end.countDown();
  }

  private void submit(Body body) {
    ExecutorService executor = Executors.newSingleThreadExecutor(this::keep);
    executors.add(executor);
    executor.execute(
        () -> {
          try {
            body.run();
          } catch (InterruptedException e) {
            // It has been seen.
          }
        });
    awaitWaiting(threads.getLast());
  }

  @Test
  void aTaskThatAwaitsACallbackIsToldAlone() {
    CountDownLatch called = new CountDownLatch(1);
    submit(called::await);
    assertEquals(1, first(10).threads());
  }

  @Test
  void aTaskMayAwaitTheEndOfAServerThatAThreadKeepsAlive() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    start(false, () -> end.await());
    submit(end::await);
    try (ServerSocket server = new ServerSocket(0)) {
      acceptor(server);
      assertEquals(List.of(), look(10));
    }
    threads.removeLast();
    CountDownLatch called = new CountDownLatch(1);
    submit(called::await);
    try (ServerSocket server = new ServerSocket(0)) {
      acceptor(server);
      assertEquals(1, first(10).threads(), "a latch of its own");
    }
  }

  @Test
  void aTaskWhoseCallbackIsAheadOfAThreadIsNot() {
    CountDownLatch called = new CountDownLatch(1);
    submit(called::await);
    start(true, () -> countDownAfter(called));
    assertEquals(List.of(), look(10));
  }

  private void countDownAfter(CountDownLatch latch) throws InterruptedException {
    work.acquire();
    latch.countDown();
  }

  @Test
  void whoAwaitsRoomInAQueueIsToldAloneAndLaterIfItHasGoneOn() {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
    start(
        false,
        () -> {
          for (int i = 0; i < 5; i++) {
            queue.put(i);
          }
        });
    assertEquals(0, first(10).returned());
    waitNumbers.put(threads.getFirst(), 2L);
    look(1);
    assertEquals(1, first(10).returned());
    assertEquals(1, queue.size());
  }
}
