import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.StampedLock;

/** Locks of several sorts that are not given back, beside a service. */
final class Held {
  private Held() {}

  /** A lock that an application has made itself. */
  static final class Mutex extends AbstractQueuedSynchronizer {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean tryAcquire(int arg) {
      return compareAndSetState(0, 1);
    }

    void lock() {
      acquire(1);
    }
  }

  /** A thread that goes on has locked twice and unlocked once. */
  @Programs.StandsStill("ReentrantLock")
  static void lockedTwiceUnlockedOnce() {
    Asked.service();
    ReentrantLock lock = new ReentrantLock();
    Programs.start(
        () -> {
          lock.lock();
          lock.lock();
          lock.unlock();
          while (true) {
            Programs.sleep(0.5);
          }
        });
    Programs.start(
        10,
        () -> {
          Programs.sleep(0.2);
          lock.lock();
          lock.unlock();
        });
  }

  /** The owner of a lock that the application has made itself has ended. */
  @Programs.StandsStill("Mutex|Held.ownMutex")
  static void ownMutex() {
    Asked.service();
    Mutex mutex = new Mutex();
    Programs.start(mutex::lock);
    Programs.start(
        10,
        () -> {
          Programs.sleep(0.2);
          mutex.lock();
        });
  }

  /** A reader has ended without giving its stamp back, and writers wait. */
  @Programs.StandsStill("StampedLock")
  static void readStampLeaked() {
    Asked.service();
    StampedLock lock = new StampedLock();
    Programs.start(lock::readLock);
    Programs.start(
        5,
        () -> {
          Programs.sleep(0.2);
          lock.unlockWrite(lock.writeLock());
        });
  }

  /** Readers try again until no thread has written meanwhile, and the writer has failed. */
  @Programs.StandsStill("StampedLock.validate changes")
  static void writerOfOptimisticReadersFailed() {
    Asked.service();
    StampedLock lock = new StampedLock();
    AtomicLong price = new AtomicLong(1);
    Programs.start(
        () -> {
          lock.writeLock();
          throw new IllegalStateException("no price");
        });
    Programs.start(
        3,
        () -> {
          Programs.sleep(0.5);
          readUntilValid(lock, price);
        });
  }

  private static long readUntilValid(StampedLock lock, AtomicLong price)
      throws InterruptedException {
    while (true) {
      long stamp = lock.tryOptimisticRead();
      long read = price.get();
      if (lock.validate(stamp)) {
        return read;
      }
      Thread.sleep(10);
    }
  }

  /** Two readers try again and again to make write locks of their read locks. */
  @Programs.StandsStill("StampedLock|tryConvertToWriteLock|convert")
  static void stampsConvertedByBoth() {
    Asked.service();
    StampedLock lock = new StampedLock();
    CountDownLatch both = new CountDownLatch(2);
    Programs.start(2, () -> convert(lock, both));
  }

  private static void convert(StampedLock lock, CountDownLatch both) throws InterruptedException {
    long stamp = lock.readLock();
    both.countDown();
    both.await();
    long write;
    while ((write = lock.tryConvertToWriteLock(stamp)) == 0) {
      Programs.sleep(0.01);
    }
    lock.unlockWrite(write);
  }

  /** Who is to notify needs the outer monitor, which the waiting thread has kept. */
  @Programs.StandsStill("monitor|Object.wait")
  static void nestedMonitors() {
    Asked.service();
    Object outer = new Object();
    Object inner = new Object();
    Programs.start(
        () -> {
          synchronized (outer) {
            synchronized (inner) {
              inner.wait();
            }
          }
        });
    Programs.start(
        () -> {
          Programs.sleep(0.5);
          synchronized (outer) {
            synchronized (inner) {
              inner.notifyAll();
            }
          }
        });
  }

  /** A platform thread holds a lock and waits for tasks which need it. */
  @Programs.StandsStill("ReentrantLock")
  static void lockOfPlatformThreadAtLatch() {
    Asked.service();
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch done = new CountDownLatch(5);
    Programs.startPlatform(
        () -> {
          lock.lock();
          Programs.start(
              5,
              () -> {
                lock.lock();
                lock.unlock();
                done.countDown();
              });
          done.await();
          lock.unlock();
        });
  }

  /** A virtual thread and a platform thread take a monitor and a lock in different order. */
  @Programs.StandsStill("deadlock")
  static void deadlockWithPlatformThread() {
    Asked.service();
    Object monitor = new Object();
    ReentrantLock lock = new ReentrantLock();
    Programs.startPlatform(
        () -> {
          lock.lock();
          Programs.sleep(0.5);
          synchronized (monitor) {
            lock.unlock();
          }
        });
    Programs.start(
        () -> {
          synchronized (monitor) {
            Programs.sleep(0.5);
            lock.lock();
          }
        });
  }

  /** Threads try to put their key into a map until the owner removes its own, which has ended. */
  @Programs.StandsStill("Thread.sleep|putIfAbsent|lockKey")
  static void keyOfEndedThread() {
    Asked.service();
    Map<String, Thread> owners = new ConcurrentHashMap<>();
    Programs.start(() -> owners.put("key", Thread.currentThread()));
    Programs.start(5, () -> lockKey(owners));
  }

  private static void lockKey(Map<String, Thread> owners) throws InterruptedException {
    Programs.sleep(0.3);
    while (owners.putIfAbsent("key", Thread.currentThread()) != null) {
      Thread.sleep(50);
    }
    owners.remove("key");
  }

  private static volatile boolean done;

  /** A loop of short parks until a field changes, which nobody writes. */
  @Programs.StandsStill("LockSupport.parkNanos|Held.done|parkUntilDone")
  static void parkedUntilDone() {
    Asked.service();
    Programs.start(3, Held::parkUntilDone);
  }

  private static void parkUntilDone() {
    while (!done) {
      LockSupport.parkNanos(50_000_000);
    }
  }

  /** Tasks of a small pool wait for virtual threads, which wait for tasks of the same pool. */
  @Programs.StandsStill("CompletableFuture")
  static void saturatedForkJoinPool() {
    Asked.service();
    ForkJoinPool pool = new ForkJoinPool(2);
    for (int i = 0; i < 2; i++) {
      pool.execute(
          () -> {
            CountDownLatch done = new CountDownLatch(1);
            Programs.start(
                () -> {
                  Programs.sleep(0.5);
                  CompletableFuture<Integer> result = new CompletableFuture<>();
                  pool.execute(() -> result.complete(1));
                  result.join();
                  done.countDown();
                });
            try {
              done.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }

  /** An executor is shut down, and with it the stages that it has not begun. */
  @Programs.StandsStill("CompletableFuture")
  static void stagesOfClosedExecutor() throws InterruptedException {
    Asked.service();
    ExecutorService executor = Executors.newSingleThreadExecutor(Programs::daemon);
    CompletableFuture<Integer> first =
        CompletableFuture.supplyAsync(
            () -> {
              LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
              return 1;
            },
            executor);
    CompletableFuture<Integer> second = CompletableFuture.supplyAsync(() -> 2, executor);
    Programs.start(10, () -> first.thenCombine(second, Integer::sum).join());
    Programs.sleep(0.3);
    executor.shutdownNow();
  }

  /** A value of a thread is made of the answer of another thread, which has ended. */
  @Programs.StandsStill("CompletableFuture")
  static void threadLocalOfFuture() {
    Asked.service();
    CompletableFuture<Integer> settings = new CompletableFuture<>();
    ThreadLocal<Integer> local = ThreadLocal.withInitial(settings::join);
    Programs.start(10, local::get);
  }

  /** A thread reads from a pipe of channels to which nobody writes. */
  @Programs.StandsStill("pipe")
  static void channelPipeWithoutWriter() throws IOException {
    Asked.service();
    Pipe pipe = Pipe.open();
    Programs.start(() -> pipe.source().read(ByteBuffer.allocate(10)));
  }

  /** A thread writes to a pipe of channels from which nobody reads. */
  @Programs.StandsStill("pipe")
  static void channelPipeWithoutReader() throws IOException {
    Asked.service();
    Pipe pipe = Pipe.open();
    Programs.start(
        () -> {
          while (true) {
            pipe.sink().write(ByteBuffer.allocate(10_000));
          }
        });
  }
}
