package io.github.vtdiag.analysis;

import java.util.List;

/**
 * What pins cost, from every single duration.
 *
 * @param count how many
 * @param totalNanos the carrier time they took together
 * @param longestNanos the longest
 * @param p50Nanos the median: half of them took at most so long
 * @param p99Nanos 99% of them took at most so long
 * @param durations all of them, to be merged with those of other recordings; none of a baseline's
 */
public record Cost(
    long count,
    long totalNanos,
    long longestNanos,
    long p50Nanos,
    long p99Nanos,
    Durations durations) {
  public static final Cost NONE = new Cost(0, 0, 0, 0, 0, Durations.NONE);

  /** What these pins cost together. */
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
    // In this order: what is beyond the 99th of a hundred is out of the way of the median.
    long p99 = Selection.ofRank(durations, rank(count, 99));
    long p50 = Selection.ofRank(durations, rank(count, 50));
    return new Cost(count, total, longest, p50, p99, histogram);
  }

  /** The same without the histogram, for what keeps figures and merges none. */
  public Cost withoutDurations() {
    return new Cost(count, totalNanos, longestNanos, p50Nanos, p99Nanos, Durations.NONE);
  }

  /** The nearest rank: of a duration that occurred, not one between two that did. */
  private static int rank(long count, int percent) {
    return (int) Math.max((count * percent + 99) / 100, 1) - 1;
  }
}
