package samples.nopinning;

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import samples.Load;
import samples.SlowService;

/** The synchronized method has become a lock, without effect: the figures are the same. */
public final class After {
  /** A visitor's own counter: short, and nothing waits in it. */
  static final class Visits {
    private final ReentrantLock lock = new ReentrantLock();
    private long count;

    long add() {
      lock.lock();
      try {
        return ++count;
      } finally {
        lock.unlock();
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    var visits = IntStream.range(0, load.threads()).mapToObj(i -> new Visits()).toList();
    var permits = new Semaphore(Math.max(1, load.threads() / 2));
    var shared = new ReentrantLock();
    System.out.println(
        "after: "
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

  private After() {}
}
