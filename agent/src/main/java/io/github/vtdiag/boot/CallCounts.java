package io.github.vtdiag.boot;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counts of returns of the counted methods, as reported by code woven into them.
 *
 * <p>Each method's counter is striped, and a thread adds to the stripe of its id. {@code LongAdder}
 * picks the stripe by a random number that each thread has to draw first. For virtual threads that
 * live for one call that costs more than it saves.
 */
public final class CallCounts {
  /** A power of two, several times the number of processors, so that two of them seldom collide. */
  private static final int STRIPES =
      Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors()) * 2;

  /**
   * The number of longs from one stripe to the next: processors fetch two cache lines at a time.
   */
  private static final int STRIDE = 16;

  private static volatile AtomicLongArray cells = new AtomicLongArray(0);

  private CallCounts() {}

  /** Prepares to count this number of methods, before any of them reports. */
  public static void begin(int methods) {
    AtomicLongArray all = new AtomicLongArray(methods * STRIPES * STRIDE);
    // Links the code that adds here, and not in an application's method.
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

  /** Returns how often a method has returned so far. */
  public static long count(int method) {
    AtomicLongArray all = cells;
    long count = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      count += all.get((method * STRIPES + stripe) * STRIDE);
    }
    return count;
  }
}
