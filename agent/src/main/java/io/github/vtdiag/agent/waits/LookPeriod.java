package io.github.vtdiag.agent.waits;

import java.util.concurrent.TimeUnit;

/**
 * The times at which platform threads are looked at. They are closer to each other at first, so
 * that a wait counts from near its begin in a short program, too.
 */
final class LookPeriod {
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The part of the time that has passed. */
  private static final int PART = 4;

  /** The first look is due at once. */
  private long last = -LONGEST_NANOS;

  /**
   * Returns whether the next look is due, which is then taken.
   *
   * @param now the time since the begin
   */
  boolean isOver(long now) {
    boolean over = now - last >= Math.clamp(now / PART, FIRST_NANOS, LONGEST_NANOS);
    if (over) {
      last = now;
    }
    return over;
  }
}
