package samples.hotlock;

import java.util.concurrent.atomic.LongAdder;
import samples.Load;
import samples.SlowService;

/** One sequence for all threads, and other work that has nothing to do with it. */
public final class Before {
  /** Numbers that are given out one at a time, each stored before the next. */
  static final class Sequence {
    private long last;

    synchronized long next() throws InterruptedException {
      store(last + 1);
      return ++last;
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
    System.out.println("before: " + result + "; unrelated work: " + unrelated.sum() + " times");
  }

  private Before() {}
}
