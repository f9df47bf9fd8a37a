package samples.usage;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * A pool of 50 virtual threads, as one would make it of platform threads. It saves threads that
 * cost next to nothing, and every task waits in its queue.
 *
 * <p>The twin has a thread for each task, and a {@code Semaphore} of 50 where the number of calls
 * is to be limited.
 */
public final class PooledThreads {
  private static final int AT_ONCE = 50;
  private static final int CLIENTS = 200;

  private static final Semaphore PERMITS = new Semaphore(AT_ONCE);
  private static final LongAdder CALLS = new LongAdder();

  public static void main(String[] args) throws InterruptedException {
    Setup.twoCarriers();
    try (ExecutorService executor =
        Setup.healthy()
            ? Executors.newVirtualThreadPerTaskExecutor()
            : Executors.newFixedThreadPool(
                AT_ONCE, Thread.ofVirtual().name("pool-", 0).factory())) {
      // No more of them than clients would have open.
      var open = new Semaphore(CLIENTS);
      while (Setup.timeLeft()) {
        open.acquire();
        executor.execute(
            () -> {
              call();
              open.release();
            });
      }
    }
    Setup.done(CALLS + " calls");
  }

  private static void call() {
    if (Setup.healthy()) {
      PERMITS.acquireUninterruptibly();
    }
    Setup.pause(20);
    CALLS.increment();
    if (Setup.healthy()) {
      PERMITS.release();
    }
  }

  private PooledThreads() {}
}
