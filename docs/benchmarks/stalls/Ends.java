import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Whether anybody goes on who ends a wait, while other threads of the program do. */
final class Ends {
  private static volatile boolean ready;
  private static volatile boolean running = true;

  private Ends() {}

  /** A platform thread feeds workers faster than they take, and closes their executor. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void fedAndClosed() {
    Asked.service();
    BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    for (int i = 0; i < 40; i++) {
      queue.add(i);
    }
    Programs.startPlatform(
        () -> {
          try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 3; i++) {
              Programs.submit(
                  workers,
                  () -> {
                    while (queue.take() >= 0) {
                      Programs.sleep(0.05);
                    }
                  });
            }
          }
        });
  }

  /** A producer returns before it has said that it is the end, and its consumers are joined. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void producerReturnedEarly() {
    Asked.service();
    BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.start(
        () -> {
          for (int i = 0; i < 50; i++) {
            queue.put(i);
            Programs.sleep(0.05);
          }
        });
    Thread consumer =
        Programs.start(
            () -> {
              while (queue.take() >= 0) {}
            });
    Programs.startPlatform(consumer::join);
  }

  /** A thread awaits a condition, and prints each second that it still does. */
  @Programs.StandsStill("Condition")
  static void conditionWithLog() {
    Asked.service();
    ReentrantLock lock = new ReentrantLock();
    Condition signal = lock.newCondition();
    Programs.start(
        () -> {
          lock.lock();
          while (!ready) {
            if (!signal.await(1, TimeUnit.SECONDS)) {
              System.out.println("still waiting at " + System.nanoTime());
            }
          }
        });
  }

  /** The same in Object.wait. */
  @Programs.StandsStill("Object.wait")
  static void waitWithLog() {
    Asked.service();
    Object lock = new Object();
    Programs.start(
        () -> {
          synchronized (lock) {
            while (!ready) {
              lock.wait(1_000);
              System.out.println("still waiting");
            }
          }
        });
  }

  /** Two threads give back their locks when they do not get another one, whose owner has ended. */
  @Programs.StandsStill("tryLock")
  static void locksGivenBack() {
    Asked.service();
    ReentrantLock shared = new ReentrantLock();
    Programs.start(shared::lock);
    Programs.start(2, () -> takeBoth(new ReentrantLock(), shared));
  }

  private static void takeBoth(ReentrantLock own, ReentrantLock other)
      throws InterruptedException {
    while (true) {
      own.lock();
      try {
        Thread.sleep(50);
        if (other.tryLock()) {
          try {
            Asked.work(1);
            return;
          } finally {
            other.unlock();
          }
        }
      } finally {
        own.unlock();
      }
    }
  }

  /** A thread prints each second that the program runs. */
  @Programs.Healthy
  static void heartBeatWithLog() {
    Programs.start(
        () -> {
          while (running) {
            Thread.sleep(1_000);
            System.out.println("still running");
          }
        });
  }

  /** Threads wait for a latch and for futures, and those that end these waits work on. */
  @Programs.Healthy
  static void longBatchAwaited() {
    CountDownLatch done = new CountDownLatch(1);
    Programs.start(
        () -> {
          Asked.work(Asked.LONGER_THAN_ALL);
          done.countDown();
        });
    Programs.start(3, done::await);
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Programs.startPlatform(
        () -> {
          Programs.sleep(Asked.LONGER_THAN_ALL);
          result.complete(1);
        });
    Programs.start(result::join);
    Programs.start(
        () ->
            CompletableFuture.runAsync(
                    () -> {
                      try {
                        Asked.work(Asked.LONGER_THAN_ALL);
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    })
                .join());
  }
}
