package io.github.vtdiag.waits;

import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * The lengths from which waits stand still.
 *
 * @param nanos the length for a wait of which nothing else is known
 * @param returnedNanos the length where threads went on before: these may be about to go on, too
 */
public record StallLimit(long nanos, long returnedNanos) {
  /** The length from which a wait stands still in a long recording. */
  public static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The limit while a program runs. */
  public static final StallLimit RUNNING = new StallLimit(LONG_NANOS, LONG_NANOS);

  /** The shortest wait that is long for itself: a shorter one is part of a short recording. */
  static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The part of a recording from which a wait in it is long. */
  private static final int PART = 4;

  /** The part of a recording that is too short for a long wait. */
  private static final int SHORT_PART = 2;

  /** The part of the usual length that is enough where nobody is left to end the wait. */
  private static final int FAILED_PART = 3;

  /**
   * Returns the limit at the end of a recording.
   *
   * @param durationNanos its length, of which threads may have been observed for a part only, such
   *     as after a slow start
   * @param looks the times of the snapshots; the whole recording counts if there are none
   */
  public static StallLimit atEnd(long durationNanos, LongStream looks) {
    LongSummaryStatistics times = looks.summaryStatistics();
    long observedNanos =
        times.getCount() == 0
            ? durationNanos
            : Math.min(durationNanos, times.getMax() - times.getMin());
    long nanos =
        Math.max(
            Math.clamp(observedNanos / SHORT_PART, LongWait.SHORTEST_AT_END_NANOS, SHORT_NANOS),
            Math.min(LONG_NANOS, durationNanos / PART));
    return new StallLimit(
        nanos, Math.clamp(durationNanos - durationNanos / PART, nanos, LONG_NANOS));
  }

  /** Returns the length where nobody is left to end the wait, which shows sooner. */
  long failedNanos() {
    return Math.max(nanos, SHORT_NANOS) / FAILED_PART;
  }
}
