import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What trust.py gates, by the first argument: 100 ms of sleep
 *
 * <ul>
 *   <li>{@code monitor}: in a synchronized method, which pins on Java 21 to 23
 *   <li>{@code initializer}: in a class initializer, which pins on every Java
 *   <li>{@code lock}: under a ReentrantLock, behind a Semaphore, and with a monitor that is let go
 *       of before: pins on none
 * </ul>
 *
 * For native code see TrustedNative, which a Java 21 does not compile.
 */
public class Trusted {
  static final long MILLIS = 100;

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Semaphore PERMITS = new Semaphore(8);
  private static long count;

  static class Slow {
    static final long LOADED = slow();
  }

  static class SlowToo {
    static final long LOADED = slow();
  }

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "monitor" -> run(8, Trusted::synchronizedSleep);
      case "initializer" -> run(8, () -> Slow.LOADED + SlowToo.LOADED);
      case "lock" -> run(64, Trusted::lockedSleep);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  static void run(int threads, Callable<Long> task) throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        results.add(executor.submit(task));
      }
      for (Future<Long> result : results) {
        result.get();
      }
    }
  }

  static long slow() {
    try {
      Thread.sleep(MILLIS);
      return MILLIS;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static synchronized long synchronizedSleep() {
    return slow();
  }

  private static synchronized long counted() {
    return ++count;
  }

  private static long lockedSleep() throws InterruptedException {
    counted();
    PERMITS.acquire();
    try {
      slow();
    } finally {
      PERMITS.release();
    }
    counted();
    if (LOCK.tryLock()) {
      try {
        return slow();
      } finally {
        LOCK.unlock();
      }
    }
    return slow();
  }
}
