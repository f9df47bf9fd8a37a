import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Threads that wait for a lock, a monitor, a class or a permit that they never get. */
final class Locks {
  private Locks() {}

  /** Four permits leak, and a hundred threads wait for one. */
  @Programs.StandsStill("Semaphore")
  static void leakedPermits() throws InterruptedException {
    Semaphore permits = new Semaphore(4);
    for (int i = 0; i < 4; i++) {
      Programs.start(permits::acquire).join();
    }
    Programs.start(100, permits::acquire);
  }

  /** Permits leak one by one from a semaphore that served well before. */
  @Programs.StandsStill("Semaphore")
  static void permitsLeakedOneByOne() {
    Semaphore permits = new Semaphore(4);
    CompletableFuture<Void> never = new CompletableFuture<>();
    Programs.start(
        30,
        () -> {
          for (int i = 0; ; i++) {
            permits.acquire();
            Programs.sleep(0.02);
            if (i < 10) {
              permits.release();
            } else {
              never.join();
            }
          }
        });
  }

  /** A thread asks a fair semaphore for more permits than it has, and others queue behind it. */
  @Programs.StandsStill("Semaphore")
  static void moreThanAllPermits() throws InterruptedException {
    Semaphore permits = new Semaphore(4, true);
    Programs.start(() -> permits.acquire(5));
    Programs.sleep(0.5);
    Programs.start(20, permits::acquire);
  }

  /** A thread ends without unlocking, and five others want the lock. */
  @Programs.StandsStill("ReentrantLock")
  static void lockOfEndedThread() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    Programs.start(lock::lock).join();
    Programs.start(5, lock::lock);
  }

  /** Four threads try again and again to get a lock, whose owner sleeps for ever. */
  @Programs.StandsStill("ReentrantLock")
  static void lockTriedAgainAndAgain() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    Programs.startPlatform(
        () -> {
          lock.lock();
          Programs.sleepForEver();
        });
    Programs.sleep(0.5);
    Programs.start(
        4,
        () -> {
          while (!lock.tryLock(1, TimeUnit.SECONDS)) {}
        });
  }

  /** Permits leak, and six threads ask for one again and again, each for three seconds. */
  @Programs.StandsStill("Semaphore")
  static void permitsAskedForAgainAndAgain() {
    Semaphore permits = new Semaphore(2);
    Programs.startPlatform(() -> permits.acquire(2));
    Programs.repeat(
        6,
        () -> {
          if (permits.tryAcquire(3, TimeUnit.SECONDS)) {
            permits.release();
          }
        });
  }

  /** A reader ends without unlocking, and a writer and readers behind it want the lock. */
  @Programs.StandsStill("ReentrantReadWriteLock")
  static void readLockOfEndedThread() throws InterruptedException {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    Programs.start(lock.readLock()::lock).join();
    Programs.start(lock.writeLock()::lock);
    Programs.sleep(0.5);
    Programs.start(5, lock.readLock()::lock);
  }

  /** A reader asks for the write lock before it gives up its read lock. */
  @Programs.StandsStill("ReentrantReadWriteLock")
  static void upgradeOfReadLock() {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    Programs.start(
        () -> {
          lock.readLock().lock();
          lock.writeLock().lock();
        });
  }

  /** A thread takes a lock twice that is not reentrant. */
  @Programs.StandsStill("StampedLock")
  static void stampedLockTakenTwice() {
    StampedLock lock = new StampedLock();
    Programs.start(
        () -> {
          lock.writeLock();
          lock.writeLock();
        });
  }

  /** The owner of a lock waits for an answer that never comes, and ten threads for the lock. */
  @Programs.StandsStill("CompletableFuture")
  static void lockOfWaitingThread() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    CompletableFuture<Void> never = new CompletableFuture<>();
    Programs.start(
        () -> {
          lock.lock();
          never.join();
        });
    Programs.sleep(0.5);
    Programs.start(10, lock::lock);
  }

  /** The owner of a monitor sleeps for ever, and ten threads wait for the monitor. */
  @Programs.StandsStill("monitor")
  static void monitorOfSleepingThread() throws InterruptedException {
    Object monitor = new Object();
    Programs.start(() -> keep(monitor, Programs::sleepForEver));
    Programs.sleep(0.5);
    Programs.start(10, () -> keep(monitor, () -> {}));
  }

  /** The owner of a monitor waits for a latch, and ten threads wait for the monitor. */
  @Programs.StandsStill("CountDownLatch")
  static void monitorOfThreadAtLatch() throws InterruptedException {
    Object monitor = new Object();
    CountDownLatch never = new CountDownLatch(1);
    Programs.start(() -> keep(monitor, never::await));
    Programs.sleep(0.5);
    Programs.start(10, () -> keep(monitor, () -> {}));
  }

  private static void keep(Object monitor, Programs.Body body) throws Exception {
    synchronized (monitor) {
      body.run();
    }
  }

  /** Two threads take two monitors in opposite order. */
  @Programs.StandsStill("deadlock|DEADLOCK")
  static void deadlockOfMonitors() {
    Object one = new Object();
    Object other = new Object();
    Programs.start(() -> keepBoth(one, other));
    Programs.start(() -> keepBoth(other, one));
  }

  private static void keepBoth(Object first, Object second) throws InterruptedException {
    synchronized (first) {
      Programs.sleep(0.5);
      synchronized (second) {
        Programs.sleep(0.5);
      }
    }
  }

  /** Two threads take two locks in opposite order. */
  @Programs.StandsStill("deadlock|DEADLOCK")
  static void deadlockOfLocks() {
    ReentrantLock one = new ReentrantLock();
    ReentrantLock other = new ReentrantLock();
    Programs.start(() -> takeBoth(one, other));
    Programs.start(() -> takeBoth(other, one));
  }

  private static void takeBoth(ReentrantLock first, ReentrantLock second) throws Exception {
    first.lock();
    Programs.sleep(0.5);
    second.lock();
  }

  /** One thread has a monitor and wants a lock, and the other the other way round. */
  @Programs.StandsStill("deadlock|DEADLOCK")
  static void deadlockOfMonitorAndLock() {
    Object monitor = new Object();
    ReentrantLock lock = new ReentrantLock();
    Programs.start(
        () -> {
          synchronized (monitor) {
            Programs.sleep(0.5);
            lock.lock();
          }
        });
    Programs.start(
        () -> {
          lock.lock();
          Programs.sleep(0.5);
          keep(monitor, () -> {});
        });
  }

  /** Each of two threads waits for a permit that the other has. */
  @Programs.StandsStill("Semaphore")
  static void deadlockOfSemaphores() {
    Semaphore one = new Semaphore(1);
    Semaphore other = new Semaphore(1);
    Programs.start(() -> acquireBoth(one, other));
    Programs.start(() -> acquireBoth(other, one));
  }

  private static void acquireBoth(Semaphore first, Semaphore second) throws InterruptedException {
    first.acquire();
    Programs.sleep(0.5);
    second.acquire();
  }

  /** All carriers are pinned by threads that want a lock, whose owner needs a carrier. */
  @Programs.StandsStill(value = "deadlock by pinning", java = 21)
  static void deadlockByPinning() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    Programs.start(
        () -> {
          lock.lock();
          Programs.sleep(1);
          lock.unlock();
        });
    Programs.sleep(0.3);
    Programs.start(Programs.carriers(), () -> keep(new Object(), lock::lock));
  }

  /** An initializer waits for a latch, and twenty threads for the class. */
  @Programs.StandsStill("Settings|Settings.<clinit>")
  static void waitingInitializer() {
    Programs.start(20, () -> Settings.read());
  }

  /** Its initializer never ends. */
  static final class Settings {
    private static final int VALUE = load();

    private Settings() {}

    static int read() {
      return VALUE;
    }

    private static int load() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return 1;
    }
  }

  /** A function in a map waits for a thread that needs the same entry. */
  @Programs.StandsStill("ConcurrentHashMap|computeIfAbsent|monitor")
  static void waitInsideMap() {
    ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    Programs.start(() -> map.computeIfAbsent("key", key -> answer.join()));
    Programs.start(
        () -> {
          Programs.sleep(0.5);
          map.computeIfAbsent("key", key -> 1);
          answer.complete(1);
        });
  }

  /** An owner of a lock waits for threads that want the lock. */
  @Programs.StandsStill("ReentrantLock|Thread.join")
  static void joinUnderLock() {
    ReentrantLock lock = new ReentrantLock();
    Programs.start(
        () -> {
          lock.lock();
          Programs.start(lock::lock).join();
        });
  }
}
