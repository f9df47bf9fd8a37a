package vtdiag.analysis;

import java.util.Arrays;

/**
 * What pins cost, from every single duration.
 *
 * @param count how many
 * @param totalNanos the carrier time they took together
 * @param longestNanos the longest
 * @param p50Nanos the median: half of them took at most so long
 * @param p99Nanos 99% of them took at most so long
 */
public record Cost(long count, long totalNanos, long longestNanos, long p50Nanos, long p99Nanos) {
  public static final Cost NONE = new Cost(0, 0, 0, 0, 0);

  static Cost of(long[] durations) {
    if (durations.length == 0) {
      return NONE;
    }
    long[] sorted = durations.clone();
    Arrays.sort(sorted);
    return new Cost(
        sorted.length,
        Arrays.stream(sorted).sum(),
        sorted[sorted.length - 1],
        percentile(sorted, 50),
        percentile(sorted, 99));
  }

  /** The nearest rank: a duration that occurred, not one between two that did. */
  private static long percentile(long[] sorted, int percent) {
    long rank = ((long) sorted.length * percent + 99) / 100;
    return sorted[(int) Math.max(rank, 1) - 1];
  }
}
