import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/** Programs that use all processors, or keep a carrier by computing. */
final class Computing {
  private static volatile boolean ready;
  private static volatile long sink;

  private Computing() {}

  /** All carriers wait busily for a flag that another thread would set. */
  @Programs.StandsStill(value = "busyWait", alone = true)
  static void busyWait() throws InterruptedException {
    Programs.start(Programs.carriers(), Computing::busyWaitForFlag);
    Programs.sleep(0.5);
    Programs.start(() -> ready = true);
    Programs.start(20, Programs::sleepForEver);
  }

  private static void busyWaitForFlag() {
    while (!ready) {
      Thread.onSpinWait();
    }
  }

  /** Four threads yield until a flag is set, which nobody sets, and ten others have work. */
  @Programs.StandsStill(value = "yieldForFlag|Thread.yield", alone = true)
  static void yieldForFlag() {
    Programs.start(
        4,
        () -> {
          while (!ready) {
            Thread.yield();
          }
        });
    Programs.repeat(10, () -> Programs.sleep(1));
  }

  /**
   * Six threads spin and yield for a flag that one of them holds while it sleeps. On Java 25 a
   * carrier has to end that sleep, and none comes to it: nobody ever gets the flag again. With
   * vtdiag's agent one thread in a while did get it, for a reason that is not known.
   */
  @Programs.StandsStill(value = "compareAndSet|spinLockOfSleeper", java = 25, alone = true)
  static void spinLockOfSleeper() {
    AtomicBoolean taken = new AtomicBoolean();
    Programs.repeat(
        6,
        () -> {
          while (!taken.compareAndSet(false, true)) {
            Thread.yield();
          }
          Programs.sleep(0.02);
          taken.set(false);
        });
  }

  /** Two threads pass a token to each other, and yield until it is their turn. */
  @Programs.Healthy(alone = true)
  static void yieldForTurn() {
    AtomicInteger turn = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      int own = i;
      Programs.repeat(
          1,
          () -> {
            while (turn.get() != own) {
              Thread.yield();
            }
            Programs.sleep(0.01);
            turn.set(1 - own);
          });
    }
  }

  /** An event loop polls a queue and yields, and gets a task ten times a second. */
  @Programs.Healthy(alone = true)
  static void eventLoop() {
    ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    Programs.repeat(
        1,
        () -> {
          Runnable task = tasks.poll();
          if (task == null) {
            Thread.yield();
          } else {
            task.run();
          }
        });
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(0.1);
          tasks.add(() -> ready = false);
        });
  }

  /** A regular expression backtracks for years on all carriers, and others need one. */
  @Programs.StandsStill(value = "Pattern|regularExpression|regex", alone = true)
  static void regularExpression() throws InterruptedException {
    Pattern pattern = Pattern.compile("(a|aa)+\\1?!");
    String text = "a".repeat(90);
    Programs.start(Programs.carriers(), () -> ready = pattern.matcher(text).matches());
    Programs.sleep(0.5);
    Programs.start(20, Programs::sleepForEver);
  }

  /** The owner of a lock is in an endless loop, and ten threads wait for the lock. */
  @Programs.StandsStill(value = "ReentrantLock|endlessLoopUnderLock", alone = true)
  static void endlessLoopUnderLock() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    Programs.start(
        () -> {
          lock.lock();
          while (!ready) {
            sink++;
          }
        });
    Programs.sleep(0.5);
    Programs.start(10, lock::lock);
  }

  /** Many short tasks compute, and a thread gets their results one after the other. */
  @Programs.Healthy(alone = true)
  static void batch() {
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    Programs.repeat(
        1,
        () -> {
          List<Future<Long>> results = new ArrayList<>();
          for (int i = 0; i < 200; i++) {
            results.add(executor.submit(() -> compute(20_000_000)));
          }
          for (Future<Long> result : results) {
            result.get();
          }
        });
  }

  private static long compute(int rounds) {
    long number = ThreadLocalRandom.current().nextLong();
    for (int i = 0; i < rounds; i++) {
      number = number * 6364136223846793005L + 1442695040888963407L;
    }
    sink = number;
    return number;
  }

  /** Threads allocate more than the collector likes. */
  @Programs.Healthy(alone = true)
  static void garbage() {
    List<byte[][]> kept = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      byte[][] own = new byte[2_000][];
      kept.add(own);
      Programs.repeat(
          1,
          () -> {
            for (int j = 0; j < 100; j++) {
              own[ThreadLocalRandom.current().nextInt(own.length)] = new byte[10_000];
            }
            Programs.sleep(0.001);
          });
    }
  }

  /** Twenty threads load classes, each by a loader of its own, again and again. */
  @Programs.Healthy(alone = true)
  static void classLoading() {
    Programs.repeat(
        20,
        () -> {
          Class.forName("Network", true, new Loader());
          Class.forName("Idle", true, new Loader());
          Programs.sleep(0.05);
        });
  }

  /** Loads the classes of this program anew. */
  private static final class Loader extends ClassLoader {
    Loader() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try (InputStream in = Computing.class.getResourceAsStream(name + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
