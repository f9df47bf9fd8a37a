package samples.usage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The parts that the programs here share. Their options are system properties:
 *
 * <ul>
 *   <li>{@code healthy=true}: the twin, which does the same work correctly
 *   <li>{@code seconds=N}: how long it runs (3)
 *   <li>{@code jdk.virtualThreadScheduler.parallelism}: 2, unless it is given
 * </ul>
 *
 * <p>Each prints one line when it is through: {@code done: ...}.
 */
final class Setup {
  private static final long START = System.nanoTime();

  static boolean healthy() {
    return Boolean.getBoolean("healthy");
  }

  /** Sets two carriers, before the first virtual thread: the scheduler reads it once. */
  static void twoCarriers() {
    System.getProperties().putIfAbsent("jdk.virtualThreadScheduler.parallelism", "2");
  }

  static boolean timeLeft() {
    return System.nanoTime() - START < TimeUnit.SECONDS.toNanos(Long.getLong("seconds", 3));
  }

  static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Runs this on a number of virtual threads. */
  static List<Thread> start(int count, String name, Runnable work) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofVirtual().name(name + "-", i).start(work));
    }
    return threads;
  }

  static void join(List<Thread> threads) {
    for (Thread thread : threads) {
      boolean joined = false;
      while (!joined) {
        try {
          thread.join();
          joined = true;
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  static void done(Object what) {
    System.out.println("done: " + what);
  }

  private Setup() {}
}
