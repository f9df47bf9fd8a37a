import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * What is hard on a JVM that is observed, all at the same time: virtual threads that wake each
 * other, that last for a moment, that are pinned for a moment, and that load classes.
 *
 * <p>{@code java Soak.java SECONDS}: prints {@code threads=N classes=N heap=MB heap_end=MB}, where
 * the first heap is that after a quarter of the time.
 */
public final class Soak {
  private static final int PAIRS = 50;
  private static final int AT_A_TIME = 200;

  /** Each pair's in a row. Then it sleeps, or others would hardly ever have a carrier on Java 25. */
  private static final int EXCHANGES = 1_000;

  private static final int PAIR_SLEEPS_MILLIS = 100;

  private static final LongAdder THREADS = new LongAdder();
  private static final LongAdder CLASSES = new LongAdder();

  private Soak() {}

  /** Each loader defines it anew; its initializer pins for a millisecond, on each Java. */
  static final class Loaded {
    static {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private Loaded() {}
  }

  /** Does not ask its parent for the one class. */
  private static final class Loader extends ClassLoader {
    private final byte[] bytes;

    Loader(byte[] bytes) {
      super(Soak.class.getClassLoader());
      this.bytes = bytes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> found = findLoadedClass(name);
        return found != null
            ? found
            : name.equals(Loaded.class.getName())
                ? defineClass(name, bytes, 0, bytes.length)
                : super.loadClass(name, resolve);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    long millis = 1_000L * Integer.parseInt(args[0]);
    for (int i = 0; i < PAIRS; i++) {
      Exchanger<String> pair = new Exchanger<>();
      start(() -> exchange(pair));
      start(() -> exchange(pair));
    }
    byte[] bytes;
    try (InputStream in = Soak.class.getResourceAsStream("Soak$Loaded.class")) {
      bytes = in.readAllBytes();
    }
    Semaphore room = new Semaphore(AT_A_TIME);
    Thread starter = new Thread(() -> keepStarting(room, bytes), "starter");
    starter.setDaemon(true);
    starter.start();
    Thread.sleep(millis / 4);
    long first = heap();
    Thread.sleep(millis - millis / 4);
    System.out.println(
        "threads=" + THREADS + " classes=" + CLASSES + " heap=" + first + " heap_end=" + heap());
    System.exit(0);
  }

  /** In megabytes, of what is alive. */
  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1_000_000;
  }

  private static void start(Runnable task) {
    THREADS.increment();
    Thread.startVirtualThread(task);
  }

  /** Threads that wake each other stay in their carrier's own queue, before all others. */
  private static void exchange(Exchanger<String> pair) {
    try {
      for (long i = 1; pair.exchange("") != null; i++) {
        if (i % EXCHANGES == 0) {
          sleep(PAIR_SLEEPS_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void keepStarting(Semaphore room, byte[] bytes) {
    for (long i = 0; true; i++) {
      room.acquireUninterruptibly();
      boolean loads = i % 100 == 0;
      boolean pins = i % 10 == 0;
      start(
          () -> {
            try {
              if (loads) {
                load(bytes);
              } else if (pins) {
                pin();
              }
            } finally {
              room.release();
            }
          });
    }
  }

  private static void load(byte[] bytes) {
    try {
      Class.forName(Loaded.class.getName(), true, new Loader(bytes));
      CLASSES.increment();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For a millisecond: by its monitor before Java 24. */
  private static void pin() {
    Object monitor = new Object();
    synchronized (monitor) {
      sleep(1);
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
