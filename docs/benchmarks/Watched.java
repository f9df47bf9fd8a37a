import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What watch.py watches, by the first argument:
 *
 * <ul>
 *   <li>{@code pins N MILLIS}: N pins one after the other, each so long, in a class initializer,
 *       which pins on every Java; prints the time of each, in seconds since the epoch, as it begins
 *   <li>{@code busy SECONDS}: healthy, and at full CPU: slices of up to three seconds of computing,
 *       locks of both kinds held for a moment, sleeps, hand-overs
 *   <li>{@code short SECONDS}: 64 threads that pin all the time, for 1 to 40 ms each
 *   <li>{@code threads N}: N virtual threads, started and finished, at most 10,000 at a time;
 *       prints how many finished, and the used heap after a collection
 * </ul>
 */
public class Watched {
  static final LongAdder DONE = new LongAdder();
  static final ReentrantLock LOCK = new ReentrantLock();
  static final Object MONITOR = new Object();
  static final Object[] KEPT = new Object[64];
  static volatile long sink;

  public static void main(String[] args) throws Exception {
    int number = Integer.parseInt(args[1]);
    switch (args[0]) {
      case "pins" -> pins(number, Long.parseLong(args[2]));
      case "busy" -> forAWhile(number, Watched::busy);
      case "short" -> forAWhile(number, Watched::shortPins);
      case "threads" -> threads(number);
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.exit(0);
  }

  /** Its initializer waits; each loader has one of its own. */
  public static class Pin {
    static {
      System.out.println(Instant.now().toEpochMilli() / 1e3);
      System.out.flush();
      sleep(Long.getLong("pin"));
    }
  }

  static final class Loader extends ClassLoader {
    Loader() {
      super(null);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!name.startsWith("Watched$Pin")) {
        return Watched.class.getClassLoader().loadClass(name);
      }
      try (InputStream in = Watched.class.getResourceAsStream("/" + name + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  static void pins(int number, long millis) throws InterruptedException {
    System.setProperty("pin", Long.toString(millis));
    for (int i = 0; i < number; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  Class.forName("Watched$Pin", true, new Loader());
                } catch (ClassNotFoundException e) {
                  throw new IllegalStateException(e);
                }
              })
          .join();
      // Not in step with whoever looks from time to time.
      sleep(300 + ThreadLocalRandom.current().nextInt(200));
    }
  }

  static void forAWhile(int seconds, Runnable work) throws InterruptedException {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    Thread[] threads = new Thread[64];
    for (int i = 0; i < threads.length; i++) {
      KEPT[i] = new Object();
      threads[i] =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (System.nanoTime() < end) {
                      work.run();
                      DONE.increment();
                    }
                  });
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(DONE.sum() + " rounds");
  }

  static void busy() {
    int what = ThreadLocalRandom.current().nextInt(200);
    compute(what == 0 ? 3_000 : what < 10 ? 200 : 10);
    synchronized (MONITOR) {
      sink++;
    }
    LOCK.lock();
    try {
      sink++;
    } finally {
      LOCK.unlock();
    }
    if (what % 4 == 0) {
      sleep(1);
    }
  }

  static void shortPins() {
    synchronized (KEPT[ThreadLocalRandom.current().nextInt(KEPT.length)]) {
      sleep(1 + ThreadLocalRandom.current().nextInt(40));
    }
  }

  static void threads(int number) throws InterruptedException {
    Semaphore atATime = new Semaphore(10_000);
    CountDownLatch finished = new CountDownLatch(number);
    for (int i = 0; i < number; i++) {
      boolean waits = i % 4 == 0;
      atATime.acquire();
      Thread.startVirtualThread(
          () -> {
            if (waits) {
              sleep(1);
            }
            DONE.increment();
            atATime.release();
            finished.countDown();
          });
    }
    finished.await();
    System.gc();
    System.gc();
    System.out.println(
        DONE.sum()
            + " finished, "
            + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
            + " bytes of heap");
  }

  static void compute(long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    long value = 0;
    while (System.nanoTime() < end) {
      value = value * 31 + 7;
    }
    sink += value;
  }

  public static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
