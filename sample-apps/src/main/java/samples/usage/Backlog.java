package samples.usage;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Takes in requests faster than they are answered: 4,000 a second, each in a thread of its own, for
 * a service that does 500. Nothing slows the sender down, so the waiting threads become more and
 * more, until there is no memory left.
 *
 * <p>The twin takes a permit before it starts a thread: the sender has to wait.
 */
public final class Backlog {
  private static final int AT_ONCE = 10;
  private static final int OPEN = 100;

  private static final Semaphore SERVICE = new Semaphore(AT_ONCE);
  private static final Semaphore ADMITTED = new Semaphore(OPEN);
  private static final LongAdder ANSWERED = new LongAdder();

  public static void main(String[] args) throws InterruptedException {
    Setup.twoCarriers();
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    long taken = 0;
    while (Setup.timeLeft()) {
      for (int i = 0; i < 40; i++) {
        if (Setup.healthy()) {
          ADMITTED.acquire();
        }
        executor.execute(Backlog::request);
        taken++;
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    // Requests that still wait get no answer, not even a refusal: that would take as long again.
    Setup.done("took in " + taken + " requests, answered " + ANSWERED);
  }

  private static void request() {
    try {
      SERVICE.acquire();
      try {
        TimeUnit.MILLISECONDS.sleep(20);
        ANSWERED.increment();
      } finally {
        SERVICE.release();
      }
    } catch (InterruptedException e) {
      // The program ends.
    } finally {
      if (Setup.healthy()) {
        ADMITTED.release();
      }
    }
  }

  private Backlog() {}
}
