package io.github.vtdiag.agent.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;

/** The number of durations, by their length. */
final class Histogram {
  /** The bounds, from the shortest pins that are recorded to those that cause an alarm. */
  private static final long[] BOUNDS_MILLIS = {
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 60_000
  };

  private static final long[] BOUNDS =
      Arrays.stream(BOUNDS_MILLIS).map(TimeUnit.MILLISECONDS::toNanos).toArray();

  /** The buckets' upper bounds in seconds; the last has none. */
  static final List<Double> SECONDS = seconds();

  private final long[] counts = new long[BOUNDS.length + 1];
  private long nanos;
  private long longest;

  /**
   * The values at one moment.
   *
   * @param counts the count of each bucket alone
   */
  record Values(List<Long> counts, long nanos, long longest) {
    long count() {
      return counts.stream().mapToLong(Long::longValue).sum();
    }
  }

  private static List<Double> seconds() {
    return DoubleStream.concat(
            Arrays.stream(BOUNDS_MILLIS).mapToDouble(millis -> millis / 1e3),
            DoubleStream.of(Double.POSITIVE_INFINITY))
        .boxed()
        .toList();
  }

  void add(long length) {
    // A duration as long as the bound belongs below it.
    int place = Arrays.binarySearch(BOUNDS, length);
    counts[place < 0 ? -place - 1 : place]++;
    nanos += length;
    longest = Math.max(longest, length);
  }

  Values values() {
    return new Values(Arrays.stream(counts).boxed().toList(), nanos, longest);
  }
}
