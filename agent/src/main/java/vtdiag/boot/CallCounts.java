package vtdiag.boot;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often counted methods have returned; told by their own code.
 *
 * <p>Each method has stripes, and a thread adds to that of its id. {@code LongAdder} finds its
 * stripe by a number that a thread makes up first, which for virtual threads that live for one call
 * costs more than what it saves.
 */
public final class CallCounts {
  /** A power of two, some times the processors, so that two of them seldom meet. */
  private static final int STRIPES =
      Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors()) * 2;

  /** Longs from one stripe to the next: processors fetch two cache lines at a time. */
  private static final int STRIDE = 16;

  private static volatile AtomicLongArray cells = new AtomicLongArray(0);

  private CallCounts() {}

  /** Begins to count so many methods, before any of them tells. */
  public static void begin(int methods) {
    AtomicLongArray all = new AtomicLongArray(methods * STRIPES * STRIDE);
    // Links here what adding needs, and not in an application's method.
    all.getAndAdd(cell(0), 0);
    cells = all;
  }

  /** Called by a counted method right before it returns. */
  public static void returned(int method) {
    cells.getAndAdd(cell(method), 1);
  }

  private static int cell(int method) {
    int stripe = (int) Thread.currentThread().threadId() & (STRIPES - 1);
    return (method * STRIPES + stripe) * STRIDE;
  }

  /** The returns of a method so far. */
  public static long count(int method) {
    AtomicLongArray all = cells;
    long count = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      count += all.get((method * STRIPES + stripe) * STRIDE);
    }
    return count;
  }
}
