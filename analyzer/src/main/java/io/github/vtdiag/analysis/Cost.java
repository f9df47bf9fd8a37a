package io.github.vtdiag.analysis;

import java.util.List;

/**
 * The cost of pins, computed from every single duration.
 *
 * @param count the number of pins
 * @param totalNanos the carrier time they took together
 * @param longestNanos the longest duration
 * @param p50Nanos the median: half of the pins took at most this long
 * @param p99Nanos 99% of the pins took at most this long
 * @param durations all durations, to be merged with those of other recordings; a baseline has none
 */
public record Cost(
    long count,
    long totalNanos,
    long longestNanos,
    long p50Nanos,
    long p99Nanos,
    Durations durations) {
  public static final Cost NONE = new Cost(0, 0, 0, 0, 0, Durations.NONE);

  /** Returns what these pins cost together. */
  static Cost of(List<PinGroup> pins) {
    long count = 0;
    for (PinGroup alike : pins) {
      count += alike.count();
    }
    long[] durations = new long[Math.toIntExact(count)];
    int place = 0;
    for (PinGroup alike : pins) {
      place = alike.copyDurations(durations, place);
    }
    if (count == 0) {
      return NONE;
    }
    long total = 0;
    long longest = Long.MIN_VALUE;
    for (long duration : durations) {
      total += duration;
      longest = Math.max(longest, duration);
    }
    Durations histogram = Durations.of(durations);
    // The order matters: selecting p99 first moves the largest values out of the way of the median.
    long p99 = Selection.ofRank(durations, rank(count, 99));
    long p50 = Selection.ofRank(durations, rank(count, 50));
    return new Cost(count, total, longest, p50, p99, histogram);
  }

  /** Returns the same cost without the histogram, for users that keep figures and merge nothing. */
  public Cost withoutDurations() {
    return new Cost(count, totalNanos, longestNanos, p50Nanos, p99Nanos, Durations.NONE);
  }

  /** Returns the nearest rank, so that a percentile is a duration that occurred. */
  private static int rank(long count, int percent) {
    return (int) Math.max((count * percent + 99) / 100, 1) - 1;
  }
}
