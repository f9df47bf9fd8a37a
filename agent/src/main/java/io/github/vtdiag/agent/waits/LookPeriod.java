package io.github.vtdiag.agent.waits;

import java.util.concurrent.TimeUnit;

/**
 * The time between two looks at the platform threads. It is shorter at first, so that a wait counts
 * from near its begin in a short program, too.
 */
final class LookPeriod {
  /** The time of a look that was never taken: the first one is due. */
  static final long NEVER = -TimeUnit.DAYS.toNanos(1);

  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The part of the time that has passed. */
  private static final int PART = 4;

  private LookPeriod() {}

  /**
   * Returns whether the next look is due.
   *
   * @param sinceNanos the time since the last one
   * @param now the time since the begin
   */
  static boolean isOver(long sinceNanos, long now) {
    return sinceNanos >= Math.clamp(now / PART, FIRST_NANOS, LONGEST_NANOS);
  }
}
