import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * 500 virtual threads, each again and again 10 ms in a critical section of its own object: a
 * synchronized method, or with -Dlock=true a hand-written ReentrantLock. With -Delsewhere=MILLIS
 * they sleep so long outside of it each time. {@code OwnLocks SECONDS}
 */
public final class OwnLocks {
  private static final int THREADS = 500;
  private static final int ELSEWHERE = Integer.getInteger("elsewhere", 0);
  private static final LongAdder operations = new LongAdder();
  private static volatile boolean over;

  interface Section {
    void enter() throws InterruptedException;
  }

  static final class Monitor implements Section {
    @Override
    public synchronized void enter() throws InterruptedException {
      Thread.sleep(10);
    }
  }

  static final class Lock implements Section {
    private final ReentrantLock lock = new ReentrantLock();

    @Override
    public void enter() throws InterruptedException {
      lock.lock();
      try {
        Thread.sleep(10);
      } finally {
        lock.unlock();
      }
    }
  }

  public static void main(String[] args) throws Exception {
    long nanos = (long) (Double.parseDouble(args[0]) * 1e9);
    Thread[] threads = new Thread[THREADS];
    long begin = System.nanoTime();
    for (int i = 0; i < THREADS; i++) {
      Section own = Boolean.getBoolean("lock") ? new Lock() : new Monitor();
      threads[i] = Thread.startVirtualThread(() -> repeat(own));
    }
    Thread.sleep(nanos / 1_000_000);
    over = true;
    long done = operations.sum();
    System.out.printf("%.1f ops/s%n", done * 1e9 / (System.nanoTime() - begin));
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void repeat(Section own) {
    try {
      while (!over) {
        own.enter();
        operations.increment();
        if (ELSEWHERE > 0) {
          Thread.sleep(ELSEWHERE);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
