import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that try again when their time is over. */
final class Retries {
  private static final LongAdder ROUNDS = new LongAdder();

  private Retries() {}

  /** Five threads get a future again and again, a second at a time, and nobody completes it. */
  @Programs.StandsStill("CompletableFuture")
  static void futureGottenAgain() {
    CompletableFuture<Integer> never = new CompletableFuture<>();
    Programs.repeat(
        5,
        () -> {
          try {
            never.get(1, TimeUnit.SECONDS);
          } catch (TimeoutException e) {
            ROUNDS.increment();
          }
        });
  }

  /** Three threads await a latch again and again, and nobody counts it down. */
  @Programs.StandsStill("CountDownLatch")
  static void latchAwaitedAgain() {
    CountDownLatch latch = new CountDownLatch(1);
    Programs.start(
        3,
        () -> {
          while (!latch.await(1, TimeUnit.SECONDS)) {
            ROUNDS.increment();
          }
        });
  }

  /** Three threads put into a full queue again and again, and nobody takes. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void offeredAgain() {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>(1);
    Programs.start(
        3,
        () -> {
          while (!queue.offer(1, 1, TimeUnit.SECONDS)) {
            ROUNDS.increment();
          }
          while (!queue.offer(1, 1, TimeUnit.SECONDS)) {
            ROUNDS.increment();
          }
        });
  }

  /** A request polls for its answer until there is one, and nobody answers. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void answerPolledForAgain() {
    Asked.service();
    LinkedBlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
    Programs.start(
        () -> {
          while (answers.poll(1, TimeUnit.SECONDS) == null) {
            System.out.println("no answer yet");
          }
        });
  }

  /** A thread joins another one again and again, which waits for a latch. */
  @Programs.StandsStill("Thread.join|CountDownLatch")
  static void joinedAgain() {
    Thread stuck = Programs.start(new CountDownLatch(1)::await);
    Programs.start(
        () -> {
          while (!stuck.join(java.time.Duration.ofSeconds(1))) {
            ROUNDS.increment();
          }
        });
  }

  /** A loop awaits a condition with a timeout until a flag is set, which nobody sets. */
  @Programs.StandsStill("Condition")
  static void conditionAwaitedAgain() {
    ReentrantLock lock = new ReentrantLock();
    Condition ready = lock.newCondition();
    boolean[] flag = new boolean[1];
    Programs.start(
        3,
        () -> {
          lock.lock();
          try {
            while (!flag[0]) {
              ready.await(1, TimeUnit.SECONDS);
            }
          } finally {
            lock.unlock();
          }
        });
  }

  /** A thread refreshes something each second, until a latch is counted down at shutdown. */
  @Programs.Healthy
  static void refreshUntilStopped() {
    CountDownLatch stop = new CountDownLatch(1);
    Programs.start(
        () -> {
          while (!stop.await(1, TimeUnit.SECONDS)) {
            refresh();
          }
        });
  }

  private static void refresh() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      text.append(i);
    }
    ROUNDS.add(text.length());
  }

  /** Clients ask a service by a future with a timeout of two seconds; one call in ten is slow. */
  @Programs.Healthy
  static void timeoutsNowAndThen() {
    Programs.repeat(
        20,
        () -> {
          boolean slow = Math.random() < 0.1;
          CompletableFuture<Integer> answer = new CompletableFuture<>();
          answer.completeOnTimeout(1, slow ? 5_000 : 300, TimeUnit.MILLISECONDS);
          try {
            answer.get(2, TimeUnit.SECONDS);
          } catch (TimeoutException e) {
            ROUNDS.increment();
          }
        });
  }

  /** Consumers poll a queue, a second at a time, and get something every four seconds. */
  @Programs.Healthy
  static void pollersServedSeldom() {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.repeat(5, () -> queue.poll(1, TimeUnit.SECONDS));
    Programs.repeat(
        1,
        () -> {
          queue.put(1);
          Programs.sleep(4);
        });
  }

  /** Barriers of two are passed every two seconds, and awaited with a timeout of ten. */
  @Programs.Healthy
  static void barrierWithTimeout() {
    CyclicBarrier barrier = new CyclicBarrier(2);
    Programs.repeat(
        2,
        () -> {
          Programs.sleep(2);
          barrier.await(10, TimeUnit.SECONDS);
        });
  }
}
