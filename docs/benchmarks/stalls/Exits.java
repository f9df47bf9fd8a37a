import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;

/** Programs whose exit hangs or takes a while, and locks that the application makes itself. */
final class Exits {
  private static final int THREADS = 6;

  /** The uses of a lock after which its owner fails, some seconds after the begin. */
  private static final int USES = 60;

  private Exits() {}

  /** Exits at half of the time, beside a service. A JVM that does not end then is halted. */
  private static void exits(Programs.Body hook) {
    Asked.service();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Programs.run(hook)));
    long millis = Programs.duration().toMillis();
    Programs.startPlatform(
        () -> {
          Thread.sleep(millis);
          Runtime.getRuntime().halt(0);
        });
    Programs.startPlatform(
        () -> {
          Thread.sleep(millis / 2);
          System.exit(0);
        });
  }

  /** A shutdown hook joins a thread that only the one could stop which exits. */
  @Programs.StandsStill("Thread.join")
  static void hookJoinsStuckThread() {
    CountDownLatch stop = new CountDownLatch(1);
    Thread worker = Programs.start(stop::await);
    exits(worker::join);
  }

  /** A shutdown hook closes an executor one of whose tasks never ends. */
  @Programs.StandsStill("ExecutorService")
  static void hookClosesExecutorWithStuckTask() {
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    Semaphore permits = new Semaphore(1);
    Programs.submit(executor, () -> permits.acquire(2));
    exits(executor::close);
  }

  /** A shutdown hook looks again and again whether a thread has ended that never does. */
  @Programs.StandsStill("sleep")
  static void hookLooksForStuckThread() {
    Semaphore permits = new Semaphore(1);
    Thread worker = Programs.start(() -> permits.acquire(2));
    exits(
        () -> {
          while (worker.isAlive()) {
            Thread.sleep(100);
          }
        });
  }

  /** A shutdown hook awaits the end of a pool again and again, one of whose tasks never ends. */
  @Programs.StandsStill("ExecutorService")
  static void hookAwaitsPoolAgainAndAgain() {
    ExecutorService executor = Executors.newFixedThreadPool(1);
    Semaphore permits = new Semaphore(1);
    Programs.submit(executor, () -> permits.acquire(2));
    exits(
        () -> {
          executor.shutdown();
          while (!executor.awaitTermination(1, TimeUnit.SECONDS)) {
            System.out.println("still running");
          }
        });
  }

  /** A shutdown hook looks for a while whether the last requests have ended. */
  @Programs.Healthy
  static void hookLooksForAWhile() {
    Thread last = Programs.start(Programs::sleepForEver);
    exits(
        () -> {
          for (int i = 0; last.isAlive() && i < 80; i++) {
            Thread.sleep(100);
          }
        });
  }

  /** A shutdown hook waits for the last requests. */
  @Programs.Healthy
  static void hookAwaitsLastRequests() {
    CountDownLatch last = new CountDownLatch(1);
    Programs.start(
        () -> {
          Programs.sleep(Programs.duration().toSeconds() / 2.0 + 3);
          last.countDown();
        });
    exits(last::await);
  }

  /** A shutdown hook gives the requests as long as they may take. */
  @Programs.Healthy
  static void hookAwaitsRequestsForAWhile() {
    CountDownLatch last = new CountDownLatch(1);
    Programs.start(Programs::sleepForEver);
    exits(() -> last.await(8, TimeUnit.SECONDS));
  }

  private static final class OwnLock extends AbstractQueuedSynchronizer {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean tryAcquire(int one) {
      return compareAndSetState(0, 1);
    }

    @Override
    protected boolean tryRelease(int one) {
      setState(0);
      return true;
    }
  }

  /** The lock of the documentation of {@link LockSupport}. */
  private static final class FairLock {
    private final AtomicBoolean locked = new AtomicBoolean();
    private final Queue<Thread> waiters = new ConcurrentLinkedQueue<>();

    void lock() {
      waiters.add(Thread.currentThread());
      while (waiters.peek() != Thread.currentThread() || !locked.compareAndSet(false, true)) {
        LockSupport.park(this);
      }
      waiters.remove();
    }

    void unlock() {
      locked.set(false);
      LockSupport.unpark(waiters.peek());
    }
  }

  private static void use(Runnable lock, Runnable unlock, int until) {
    Asked.service();
    AtomicInteger uses = new AtomicInteger();
    Programs.repeat(
        THREADS,
        () -> {
          lock.run();
          Programs.sleep(0.05);
          if (uses.incrementAndGet() == until) {
            throw new IllegalStateException("no longer");
          }
          unlock.run();
          Programs.sleep(0.01);
        });
  }

  /** An owner of a lock that extends the JDK's synchronizer fails. */
  @Programs.StandsStill("Exits$OwnLock|lock")
  static void ownLockOfFailedThread() {
    OwnLock lock = new OwnLock();
    use(() -> lock.acquire(1), () -> lock.release(1), USES);
  }

  /** An owner of a lock that is made of parks fails. */
  @Programs.StandsStill("Exits$FairLock.lock")
  static void lockOfParksOfFailedThread() {
    FairLock lock = new FairLock();
    use(lock::lock, lock::unlock, USES);
  }

  /** The same locks where no owner fails. */
  @Programs.Healthy
  static void ownLocksHandedOn() {
    OwnLock own = new OwnLock();
    use(() -> own.acquire(1), () -> own.release(1), Integer.MAX_VALUE);
    FairLock fair = new FairLock();
    use(fair::lock, fair::unlock, Integer.MAX_VALUE);
  }

  /** Threads fail after they have released such a lock; the next one keeps it for a while. */
  @Programs.Healthy
  static void ownLockKeptAfterFailures() {
    Asked.service();
    OwnLock lock = new OwnLock();
    Programs.repeat(
        1,
        () -> {
          Thread failing =
              Programs.start(
                  () -> {
                    lock.acquire(1);
                    Programs.sleep(0.1);
                    lock.release(1);
                    throw new IllegalStateException("the request fails");
                  });
          failing.join();
        });
    Programs.repeat(
        THREADS,
        () -> {
          lock.acquire(1);
          Programs.sleep(1.5);
          lock.release(1);
          Programs.sleep(0.1);
        });
  }

  /** Threads close fork-join pools whose tasks wait for ever. */
  @Programs.StandsStill("ExecutorService")
  static void forkJoinPoolsWithStuckTasksClosed() {
    Asked.service();
    CountDownLatch never = new CountDownLatch(1);
    Programs.start(
        2,
        () -> {
          try (ForkJoinPool pool = new ForkJoinPool(2)) {
            Programs.submit(pool, never::await);
          }
        });
  }
}
