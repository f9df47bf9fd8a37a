package samples.hotlock;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import samples.Load;
import samples.SlowService;

/** The same with a lock: the sequence is as slow as before, but the other work runs. */
public final class After {
  /** Numbers that are given out one at a time, each stored before the next. */
  static final class Sequence {
    private final ReentrantLock lock = new ReentrantLock();
    private long last;

    long next() throws InterruptedException {
      lock.lock();
      try {
        store(last + 1);
        return ++last;
      } finally {
        lock.unlock();
      }
    }

    private static void store(long number) throws InterruptedException {
      if (number < 0) {
        throw new IllegalArgumentException("negative: " + number);
      }
      Thread.sleep(SlowService.DELAY); // stands for the database
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    var sequence = new Sequence();
    var unrelated = new LongAdder();
    // A virtual thread that never touches the sequence, and wants to run every millisecond.
    Thread beside =
        Thread.startVirtualThread(
            () -> {
              try {
                while (true) {
                  Thread.sleep(1);
                  unrelated.increment();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    Load.Result result = load.measure(thread -> sequence.next());
    beside.interrupt();
    beside.join();
    System.out.println("after: " + result + "; unrelated work: " + unrelated.sum() + " times");
  }

  private After() {}
}
