import java.util.concurrent.atomic.LongAdder;

/**
 * 200 virtual threads that pass 2 ms each in a synchronized method of one object, and 200 that
 * sleep 10 ms each and have nothing to do with it. {@code HotLock SECONDS}
 */
public final class HotLock {
  private static final int THREADS = 200;
  private static final LongAdder shared = new LongAdder();
  private static final LongAdder unrelated = new LongAdder();
  private static volatile boolean over;

  private synchronized void pass() throws InterruptedException {
    Thread.sleep(2);
  }

  interface Work {
    void run() throws InterruptedException;
  }

  public static void main(String[] args) throws Exception {
    HotLock one = new HotLock();
    long begin = System.nanoTime();
    for (int i = 0; i < THREADS; i++) {
      Thread.startVirtualThread(() -> repeat(one::pass, shared));
    }
    for (int i = 0; i < THREADS; i++) {
      Thread.startVirtualThread(() -> repeat(() -> Thread.sleep(10), unrelated));
    }
    Thread.sleep((long) (Double.parseDouble(args[0]) * 1e3));
    over = true;
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf("shared: %.1f ops/s%n", shared.sum() / seconds);
    System.out.printf("unrelated: %.1f ops/s%n", unrelated.sum() / seconds);
    System.exit(0);
  }

  private static void repeat(Work work, LongAdder done) {
    try {
      while (!over) {
        work.run();
        done.increment();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
