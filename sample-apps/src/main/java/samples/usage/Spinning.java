package samples.usage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Eight connections for 64 threads. A thread that finds none polls, with {@code Thread.yield} in
 * between: the carriers are busy all the time, with threads that wait.
 *
 * <p>In the twin they wait for a {@code Semaphore}, which takes no carrier.
 */
public final class Spinning {
  private static final int CONNECTIONS = 8;
  private static final int CLIENTS = 64;

  private static final AtomicInteger FREE = new AtomicInteger(CONNECTIONS);
  private static final Semaphore PERMITS = new Semaphore(CONNECTIONS);
  private static final LongAdder CALLS = new LongAdder();

  public static void main(String[] args) {
    Setup.twoCarriers();
    List<Thread> threads = new ArrayList<>(Setup.start(CLIENTS, "client", Spinning::callOften));
    Setup.join(threads);
    Setup.done(CALLS + " calls");
  }

  private static void callOften() {
    while (take()) {
      Setup.pause(20);
      giveBack();
      CALLS.increment();
    }
  }

  /** Takes a connection; false when the time is over, without which this would never end. */
  @SuppressWarnings("ThreadPriorityCheck") // What not to do.
  private static boolean take() {
    if (Setup.healthy()) {
      PERMITS.acquireUninterruptibly();
      boolean timeLeft = Setup.timeLeft();
      if (!timeLeft) {
        PERMITS.release();
      }
      return timeLeft;
    }
    while (Setup.timeLeft()) {
      int free = FREE.get();
      if (free > 0 && FREE.compareAndSet(free, free - 1)) {
        return true;
      }
      Thread.yield();
    }
    return false;
  }

  private static void giveBack() {
    if (Setup.healthy()) {
      PERMITS.release();
    } else {
      FREE.incrementAndGet();
    }
  }

  private Spinning() {}
}
