package samples.nopinning;

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import samples.Load;
import samples.SlowService;

/** Locks, a semaphore, sleeping, and a synchronized method that never waits: nothing pins. */
public final class Before {
  /** A visitor's own counter: short, and nothing waits in it. */
  static final class Visits {
    private long count;

    synchronized long add() {
      return ++count;
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    var visits = IntStream.range(0, load.threads()).mapToObj(i -> new Visits()).toList();
    var permits = new Semaphore(Math.max(1, load.threads() / 2));
    var shared = new ReentrantLock();
    System.out.println(
        "before: "
            + load.measure(
                thread -> {
                  visits.get(thread).add();
                  permits.acquire();
                  try {
                    Thread.sleep(SlowService.DELAY); // stands for a query
                  } finally {
                    permits.release();
                  }
                  shared.lock();
                  try {
                    Thread.sleep(0, 100_000); // waits, but holds a lock and no monitor
                  } finally {
                    shared.unlock();
                  }
                }));
  }

  private Before() {}
}
