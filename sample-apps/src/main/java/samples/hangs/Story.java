package samples.hangs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The parts that the programs here share. Each prints one line: {@code stands still: ...} once
 * nothing can move any more, after which it stays as it is, or {@code ended: ...}. Their options
 * are system properties:
 *
 * <ul>
 *   <li>{@code healthy=true}: the twin that ends by itself, with the same threads and waits
 *   <li>{@code hold=MILLIS}: how long the twin lets its threads wait for each other (1000)
 *   <li>{@code others=N}: the number of further virtual threads, which wake up every 10 ms
 *   <li>{@code jdk.virtualThreadScheduler.parallelism} and {@code maxPoolSize}: each program sets
 *       what it needs, unless they are given
 * </ul>
 */
final class Story {
  private static final long LOOK_NANOS = 1_000_000;
  private static final long OTHERS_NANOS = 10_000_000;

  static boolean healthy() {
    return Boolean.getBoolean("healthy");
  }

  /** Sets the number of carriers, before the first virtual thread: the scheduler reads it once. */
  static void carriers(int count) {
    String prefix = "jdk.virtualThreadScheduler.";
    System.getProperties().putIfAbsent(prefix + "parallelism", Integer.toString(count));
    System.getProperties().putIfAbsent(prefix + "maxPoolSize", Integer.toString(count));
    for (int i = 0; i < Integer.getInteger("others", 0); i++) {
      start("other-" + i, Story::keepWaking);
    }
  }

  private static void keepWaking() {
    while (true) {
      LockSupport.parkNanos(OTHERS_NANOS);
    }
  }

  /** Takes time in a twin, so that another thread has to wait. */
  static void hold() {
    if (healthy()) {
      try {
        Thread.sleep(Long.getLong("hold", 1000));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static Thread start(String name, Runnable work) {
    return Thread.ofVirtual().name(name).start(work);
  }

  /** Polls until it is so, without a timeout. */
  static void until(BooleanSupplier so) {
    while (!so.getAsBoolean()) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  static boolean wait(Thread.State state, Thread... threads) {
    for (Thread thread : threads) {
      if (thread.getState() != state) {
        return false;
      }
    }
    return true;
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static void standsStill(String why) {
    say("stands still: " + why);
    await(new CountDownLatch(1));
  }

  /** Waits for the threads, and ends. */
  static void ended(Thread... threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    say("ended: all threads came through");
  }

  static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private Story() {}
}
