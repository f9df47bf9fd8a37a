import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that wait for a signal, a result or the end of others, which never comes. */
final class Signals {
  private Signals() {}

  /** Two futures are each completed from the other, and twenty clients join them. */
  @Programs.StandsStill("CompletableFuture")
  static void futuresInACircle() {
    CompletableFuture<Integer> one = new CompletableFuture<>();
    CompletableFuture<Integer> other = new CompletableFuture<>();
    Programs.start(() -> one.complete(other.join()));
    Programs.start(() -> other.complete(one.join()));
    Programs.start(20, one::join);
  }

  /** Four workers wait at a condition, and the only one that signalled it has ended. */
  @Programs.StandsStill("Condition")
  static void conditionOfEndedThread() {
    ReentrantLock lock = new ReentrantLock();
    Condition work = lock.newCondition();
    Programs.repeat(
        4,
        () -> {
          lock.lock();
          try {
            work.await();
          } finally {
            lock.unlock();
          }
        });
    Programs.start(
        () -> {
          for (int i = 0; i < 40; i++) {
            lock.lock();
            work.signal();
            lock.unlock();
            Programs.sleep(0.1);
          }
        });
  }

  /** Ten threads join a future that nobody completes. */
  @Programs.StandsStill("CompletableFuture")
  static void futureJoined() {
    Programs.start(10, new CompletableFuture<>()::join);
  }

  /** Ten threads get a future that nobody completes. */
  @Programs.StandsStill("CompletableFuture")
  static void futureGotten() {
    Programs.start(10, new CompletableFuture<>()::get);
  }

  /** Ten threads get a future that nobody completes, with a timeout of a day. */
  @Programs.StandsStill("CompletableFuture")
  static void futureWithLongTimeout() {
    CompletableFuture<Integer> never = new CompletableFuture<>();
    Programs.start(10, () -> never.get(1, TimeUnit.DAYS));
  }

  /** Ten threads get a chain of futures whose first stage has no answer. */
  @Programs.StandsStill("CompletableFuture")
  static void futureChain() {
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    CompletableFuture<Integer> all =
        CompletableFuture.allOf(answer.thenApply(n -> n + 1), CompletableFuture.completedFuture(1))
            .thenApplyAsync(done -> 1);
    Programs.start(10, all::get);
  }

  /** Ten threads get a task that nobody runs. */
  @Programs.StandsStill("FutureTask|Future")
  static void taskNeverRun() {
    Programs.start(10, new FutureTask<>(() -> 1)::get);
  }

  /** Five threads wait for a latch that nobody counts down. */
  @Programs.StandsStill("CountDownLatch")
  static void latchNeverCountedDown() {
    Programs.start(5, new CountDownLatch(1)::await);
  }

  /** A latch counts three workers, one of which fails before it counts down. */
  @Programs.StandsStill("CountDownLatch")
  static void latchOfFailedWorker() {
    CountDownLatch done = new CountDownLatch(3);
    for (int i = 0; i < 3; i++) {
      boolean fails = i == 1;
      Programs.start(
          () -> {
            Programs.sleep(1);
            if (!fails) {
              done.countDown();
            }
          });
    }
    Programs.start(done::await);
  }

  /** Five threads wait for a latch that nobody counts down, with a timeout of an hour. */
  @Programs.StandsStill("CountDownLatch")
  static void latchWithLongTimeout() {
    CountDownLatch latch = new CountDownLatch(1);
    Programs.start(5, () -> latch.await(1, TimeUnit.HOURS));
  }

  /** A phaser of three parties has only two. */
  @Programs.StandsStill("Phaser")
  static void partyMissingInPhaser() {
    Programs.start(2, new Phaser(3)::arriveAndAwaitAdvance);
  }

  /** A barrier of eight parties works for three rounds, and then one of them does not come. */
  @Programs.StandsStill("CyclicBarrier")
  static void partyMissingAtBarrier() {
    CyclicBarrier barrier = new CyclicBarrier(8);
    Programs.start(7, () -> rounds(barrier, Integer.MAX_VALUE));
    Programs.start(() -> rounds(barrier, 3));
  }

  private static void rounds(CyclicBarrier barrier, int rounds)
      throws InterruptedException, BrokenBarrierException {
    for (int i = 0; i < rounds; i++) {
      barrier.await();
    }
  }

  /** One thread offers at an exchanger, and there is no other. */
  @Programs.StandsStill("Exchanger")
  static void exchangerWithoutPartner() {
    Exchanger<Integer> exchanger = new Exchanger<>();
    Programs.start(() -> exchanger.exchange(1));
  }

  /** Five threads wait for a condition that nobody signals. */
  @Programs.StandsStill("Condition")
  static void conditionNeverSignalled() {
    ReentrantLock lock = new ReentrantLock();
    Condition never = lock.newCondition();
    Programs.start(
        5,
        () -> {
          lock.lock();
          try {
            while (true) {
              never.await();
            }
          } finally {
            lock.unlock();
          }
        });
  }

  /** Five threads wait at an object that nobody notifies. */
  @Programs.StandsStill("Object.wait")
  static void objectNeverNotified() {
    Object object = new Object();
    Programs.start(
        5,
        () -> {
          synchronized (object) {
            while (true) {
              object.wait();
            }
          }
        });
  }

  /** A signal comes before the thread waits for it, and there is no second one. */
  @Programs.StandsStill("Object.wait")
  static void notifiedTooEarly() throws InterruptedException {
    Object object = new Object();
    synchronized (object) {
      object.notifyAll();
    }
    Programs.sleep(1);
    Programs.start(
        () -> {
          synchronized (object) {
            object.wait();
          }
        });
  }

  /** Ten threads park, and nobody unparks them. */
  @Programs.StandsStill("parkedForEver")
  static void parkedForEver() {
    Programs.start(
        10,
        () -> {
          while (true) {
            LockSupport.park();
          }
        });
  }

  /** Twenty threads a second are started, and each parks for ever. */
  @Programs.StandsStill("startedAndParked")
  static void startedAndParked() {
    Programs.startPlatform(
        () -> {
          while (true) {
            Programs.start(LockSupport::park);
            Programs.sleep(0.05);
          }
        });
  }

  /** Three threads join one that waits for a latch. */
  @Programs.StandsStill("CountDownLatch")
  static void joinOfStuckThread() {
    Thread stuck = Programs.start(new CountDownLatch(1)::await);
    Programs.start(3, stuck::join);
  }

  /** A thread closes an executor of virtual threads, one of whose tasks waits for a future. */
  @Programs.StandsStill("CompletableFuture")
  static void closeOfExecutorWithStuckTask() {
    Programs.start(
        () -> {
          try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Programs.submit(executor, () -> Programs.sleep(1));
            executor.submit(new CompletableFuture<>()::join);
          }
        });
  }

  /** A thread awaits for a day the end of a platform pool whose task waits for a latch. */
  @Programs.StandsStill("ThreadPoolExecutor|ExecutorService|CountDownLatch")
  static void terminationOfPoolWithStuckTask() {
    ExecutorService pool = Executors.newSingleThreadExecutor(Programs::daemon);
    CountDownLatch never = new CountDownLatch(1);
    Programs.start(
        () -> {
          Programs.submit(pool, never::await);
          pool.shutdown();
          pool.awaitTermination(1, TimeUnit.DAYS);
        });
  }

  /** The tasks of a platform pool of two wait for tasks of that pool, and clients for them. */
  @Programs.StandsStill("FutureTask|Future")
  static void nestedTasksInFixedPool() {
    ExecutorService pool = Executors.newFixedThreadPool(2, Programs::daemon);
    Programs.start(
        20,
        () -> {
          Future<Integer> outer =
              pool.submit(
                  () -> {
                    Programs.sleep(0.1);
                    return pool.submit(() -> 1).get();
                  });
          outer.get();
        });
  }

  /** A task in a single virtual worker waits for another task of that worker. */
  @Programs.StandsStill("FutureTask|Future")
  static void nestedTasksInVirtualWorker() {
    ExecutorService worker = Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
    worker.submit(() -> worker.submit(() -> 1).get());
  }

  /** A program exits while all its threads are stuck, and its shutdown hook awaits them. */
  @Programs.StandsStill("CountDownLatch")
  static void exitWhileStuck() {
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    CountDownLatch never = new CountDownLatch(1);
    for (int i = 0; i < 50; i++) {
      Programs.submit(executor, never::await);
    }
    long half = Programs.duration().toMillis() / 2;
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  executor.shutdown();
                  try {
                    executor.awaitTermination(half, TimeUnit.MILLISECONDS);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
    Programs.start(
        () -> {
          Thread.sleep(half);
          System.exit(0);
        });
  }
}
