package samples.usage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Four threads that compute, beside 200 that serve: each of these waits 5 ms and then needs a
 * carrier for a moment. Virtual threads are not preempted, so two that compute monopolize both
 * carriers until they are through, and the 200 stand still for as long.
 *
 * <p>The twin computes on platform threads, which the system shares out by time slices.
 */
public final class Computing {
  private static final int COMPUTING = 4;
  private static final int SERVING = 200;

  private static final LongAdder SERVED = new LongAdder();
  private static final LongAdder COMPUTED = new LongAdder();
  private static final LongAccumulator LONGEST = new LongAccumulator(Math::max, 0);

  public static void main(String[] args) {
    Setup.twoCarriers();
    List<Thread> threads = new ArrayList<>(Setup.start(SERVING, "serve", Computing::serve));
    for (int i = 0; i < COMPUTING; i++) {
      Thread.Builder builder = Setup.healthy() ? Thread.ofPlatform() : Thread.ofVirtual();
      threads.add(builder.name("compute-" + i).start(Computing::search));
    }
    Setup.join(threads);
    Setup.done(
        "served "
            + SERVED
            + " times, computed "
            + COMPUTED
            + "00 sequences, the longest of "
            + LONGEST);
  }

  private static void serve() {
    while (Setup.timeLeft()) {
      Setup.pause(5);
      SERVED.increment();
    }
  }

  /** Searches for a number whose sequence is long. */
  private static void search() {
    long longest = 0;
    long from = Thread.currentThread().threadId();
    while (Setup.timeLeft()) {
      for (long start = from; start < from + 100; start++) {
        longest = Math.max(longest, steps(start));
      }
      from += 100;
      COMPUTED.increment();
    }
    LONGEST.accumulate(longest);
  }

  /** Returns the number of steps to one, halving what is even and tripling what is not. */
  private static long steps(long start) {
    long steps = 0;
    for (long number = start; number != 1; steps++) {
      number = (number & 1) == 0 ? number >> 1 : 3 * number + 1;
    }
    return steps;
  }

  private Computing() {}
}
