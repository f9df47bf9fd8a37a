import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that have worked with others for a while, until one of these failed, beside a service. */
final class Parties {
  private Parties() {}

  private static IllegalStateException failure() {
    return new IllegalStateException("the disk is full");
  }

  /** One of three parties fails after ten rounds, and the others wait at the barrier. */
  @Programs.StandsStill("CyclicBarrier")
  static void barrierPartyFailed() {
    Asked.service();
    CyclicBarrier barrier = new CyclicBarrier(3);
    Programs.repeat(
        2,
        () -> {
          Programs.sleep(0.1);
          barrier.await();
        });
    Programs.start(() -> failAfterRounds(barrier));
  }

  private static void failAfterRounds(CyclicBarrier barrier)
      throws InterruptedException, BrokenBarrierException {
    for (int i = 0; i < 10; i++) {
      barrier.await();
    }
    throw failure();
  }

  /** One of three parties ends after ten phases without deregistering. */
  @Programs.StandsStill("Phaser")
  static void phaserPartyLeft() {
    Asked.service();
    Phaser phaser = new Phaser(3);
    Programs.repeat(2, phaser::arriveAndAwaitAdvance);
    Programs.start(
        () -> {
          for (int i = 0; i < 10; i++) {
            Programs.sleep(0.2);
            phaser.arriveAndAwaitAdvance();
          }
        });
  }

  /** Two threads exchange buffers, and one of them ends. */
  @Programs.StandsStill("Exchanger")
  static void exchangerPartnerEnded() {
    Asked.service();
    Exchanger<Integer> exchanger = new Exchanger<>();
    Programs.repeat(1, () -> exchanger.exchange(1));
    Programs.start(
        () -> {
          for (int i = 0; i < 20; i++) {
            Programs.sleep(0.1);
            exchanger.exchange(2);
          }
        });
  }

  /** Producers and consumers share one condition, and the wrong ones are signalled. */
  @Programs.StandsStill("Condition")
  static void wrongOneSignalled() {
    Asked.service();
    ReentrantLock lock = new ReentrantLock();
    Condition changed = lock.newCondition();
    int[] elements = new int[1];
    for (int sign : new int[] {1, -1}) {
      Programs.repeat(
          4,
          () -> {
            lock.lock();
            try {
              while (sign > 0 ? elements[0] == 1 : elements[0] == 0) {
                changed.await();
              }
              elements[0] += sign;
              changed.signal();
            } finally {
              lock.unlock();
            }
          });
    }
  }

  /** A timer refills the permits of a limiter, and fails at its tenth round. */
  @Programs.StandsStill("Semaphore")
  static void limiterNotRefilled() {
    Asked.service();
    Semaphore permits = new Semaphore(5);
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(1, Programs::daemon);
    int[] rounds = new int[1];
    timer.scheduleAtFixedRate(
        () -> {
          if (++rounds[0] == 10) {
            throw failure();
          }
          permits.release(5);
        },
        100,
        200,
        TimeUnit.MILLISECONDS);
    Programs.repeat(10, permits::acquire);
  }

  /** A timer is cancelled before its task has counted a latch down. */
  @Programs.StandsStill("CountDownLatch")
  static void timerCancelled() {
    Asked.service();
    CountDownLatch ready = new CountDownLatch(1);
    java.util.Timer timer = new java.util.Timer(true);
    timer.schedule(
        new java.util.TimerTask() {
          @Override
          public void run() {
            ready.countDown();
          }
        },
        2_000);
    Programs.start(10, ready::await);
    timer.cancel();
  }

  /** Five consumers get one last element in place of five, and a latch waits for them. */
  @Programs.StandsStill("CountDownLatch|LinkedBlockingQueue")
  static void oneLastElementForFive() {
    Asked.service();
    BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    CountDownLatch done = new CountDownLatch(5);
    Programs.start(
        5,
        () -> {
          while (queue.take() >= 0) {
            Programs.sleep(0.01);
          }
          done.countDown();
        });
    Programs.start(
        () -> {
          for (int i = 0; i < 100; i++) {
            queue.put(i);
            Programs.sleep(0.02);
          }
          queue.put(-1);
          done.await();
        });
  }

  /** Two stages put into each other's full queues. */
  @Programs.StandsStill("ArrayBlockingQueue")
  static void stagesFillEachOther() {
    Asked.service();
    BlockingQueue<Integer> one = new ArrayBlockingQueue<>(10);
    BlockingQueue<Integer> other = new ArrayBlockingQueue<>(10);
    for (int i = 0; i < 5; i++) {
      one.add(i);
    }
    Programs.repeat(1, () -> forward(one, other));
    Programs.repeat(1, () -> forward(other, one));
  }

  private static void forward(BlockingQueue<Integer> from, BlockingQueue<Integer> to)
      throws InterruptedException {
    int next = from.take();
    to.put(next);
    to.put(next);
  }

  /** Requests try for 2 s to hand over to a consumer that has failed. */
  @Programs.StandsStill("LinkedTransferQueue")
  static void transfersTimeOut() {
    Asked.service();
    LinkedTransferQueue<Integer> queue = new LinkedTransferQueue<>();
    Programs.start(
        () -> {
          for (int i = 0; i < 20; i++) {
            queue.take();
            Programs.sleep(0.1);
          }
          throw failure();
        });
    Programs.repeat(
        4,
        () -> {
          if (!queue.tryTransfer(1, 2, TimeUnit.SECONDS)) {
            Programs.sleep(0.05);
          }
        });
  }

  /** The platform thread that writes the log fails, and the others wait for room in its queue. */
  @Programs.StandsStill("ArrayBlockingQueue")
  static void logWriterFailed() {
    Asked.service();
    BlockingQueue<Integer> lines = new ArrayBlockingQueue<>(50);
    Programs.startPlatform(
        () -> {
          for (int i = 0; i < 100; i++) {
            lines.take();
          }
          throw failure();
        });
    Programs.repeat(
        10,
        () -> {
          Programs.sleep(0.3);
          lines.put(1);
        });
  }

  /** The producer of a queue with priorities fails. */
  @Programs.StandsStill("PriorityBlockingQueue")
  static void prioritiesOfFailedProducer() {
    Asked.service();
    PriorityBlockingQueue<Integer> queue = new PriorityBlockingQueue<>();
    Programs.repeat(4, queue::take);
    Programs.start(
        () -> {
          for (int i = 0; i < 50; i++) {
            queue.put(i);
            Programs.sleep(0.05);
          }
          throw failure();
        });
  }

  /** A task swallows its interrupt, so that the executor does not end by shutdownNow. */
  @Programs.StandsStill("ThreadPerTaskExecutor|ExecutorService|LinkedBlockingQueue")
  static void interruptSwallowed() {
    Asked.service();
    BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.start(
        () -> {
          try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.execute(() -> takeForEver(queue));
            Programs.sleep(1);
            executor.shutdownNow();
          }
        });
  }

  private static void takeForEver(BlockingQueue<Integer> queue) {
    while (true) {
      try {
        queue.take();
      } catch (InterruptedException e) {
        System.out.println("interrupted");
      }
    }
  }

  /** Tasks submit others and wait until these give a permit back, which no worker is left for. */
  @Programs.StandsStill("Semaphore")
  static void boundedSubmitters() {
    Asked.service();
    Semaphore bound = new Semaphore(4);
    CountDownLatch begun = new CountDownLatch(4);
    ExecutorService pool = Executors.newFixedThreadPool(4, Thread.ofVirtual().factory());
    for (int i = 0; i < 4; i++) {
      Programs.submit(
          pool,
          () -> {
            bound.acquire();
            begun.countDown();
            begun.await();
            bound.acquire();
            pool.execute(bound::release);
            bound.release();
          });
    }
  }

  /** Workers wait for a message each on one of two channels of one worker that has failed. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void answersOfFailedPlatformWorker() {
    Asked.service();
    BlockingQueue<Integer> questions = new LinkedBlockingQueue<>();
    BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
    Programs.startPlatform(
        () -> {
          for (int i = 0; i < 30; i++) {
            answers.put(questions.take());
          }
          throw failure();
        });
    Programs.repeat(
        5,
        () -> {
          questions.put(1);
          answers.take();
          Programs.sleep(0.1);
        });
  }
}
