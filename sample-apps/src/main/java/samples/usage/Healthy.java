package samples.usage;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * 20,000 threads that do what virtual threads are made for: wait most of the time, take a permit
 * for a call to another service, compute a little. There is nothing to change.
 */
public final class Healthy {
  private static final int THREADS = 20_000;
  private static final Semaphore PERMITS = new Semaphore(THREADS);
  private static final LongAdder CALLS = new LongAdder();

  public static void main(String[] args) {
    Setup.twoCarriers();
    Setup.join(Setup.start(THREADS, "client", Healthy::call));
    Setup.done(CALLS + " calls");
  }

  private static void call() {
    // Not all at the same moment.
    Setup.pause(1 + Thread.currentThread().threadId() % 1_000);
    while (Setup.timeLeft()) {
      PERMITS.acquireUninterruptibly();
      Setup.pause(1_000);
      PERMITS.release();
      CALLS.increment();
    }
  }

  private Healthy() {}
}
