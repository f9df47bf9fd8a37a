package io.github.vtdiag.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A histogram of durations. Unlike percentiles, histograms of several recordings can be merged. A
 * bucket is at most 1.6% wide, so a percentile is off by at most 0.8%. Up to 127 ns, each duration
 * has its own bucket.
 *
 * <p>The buckets are numbered by a formula, not by a library's layout, so that SQL can add them up,
 * too: see docs/fleet.md.
 */
public final class Durations {
  /** The empty histogram. */
  public static final Durations NONE = new Durations(List.of());

  /** The number of buckets for each power of two. */
  private static final int STEPS = 64;

  private static final int STEP_BITS = 6;

  /** A bucket and the number of durations in it. */
  public record Bucket(int number, long count) {}

  private final List<Bucket> buckets;

  private Durations(List<Bucket> buckets) {
    this.buckets = List.copyOf(buckets);
  }

  /** Returns the histogram with these buckets, which are in the order of their numbers. */
  public static Durations of(List<Bucket> buckets) {
    return buckets.isEmpty() ? NONE : new Durations(buckets);
  }

  /** Returns the histogram of durations in nanoseconds; a negative one counts as 0. */
  static Durations of(long... nanos) {
    long[] counts = new long[STEPS];
    for (long each : nanos) {
      int number = number(each);
      if (number >= counts.length) {
        counts = Arrays.copyOf(counts, number + STEPS);
      }
      counts[number]++;
    }
    return ofCounts(counts);
  }

  private static Durations ofCounts(long[] counts) {
    List<Bucket> buckets = new ArrayList<>();
    for (int number = 0; number < counts.length; number++) {
      if (counts[number] > 0) {
        buckets.add(new Bucket(number, counts[number]));
      }
    }
    return of(buckets);
  }

  /** Returns the number of a duration's bucket. */
  static int number(long nanos) {
    long value = Math.max(0, nanos);
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - STEP_BITS - 1);
    return shift * STEPS + (int) (value >>> shift);
  }

  /** Returns the middle of a bucket, in nanoseconds. */
  public static long middle(int number) {
    int shift = Math.max(0, number / STEPS - 1);
    long from = (long) (number - shift * STEPS) << shift;
    return from + (shift == 0 ? 0 : 1L << (shift - 1));
  }

  /** Returns the buckets that are not empty, in the order of their numbers. */
  public List<Bucket> buckets() {
    return buckets;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Durations durations && buckets.equals(durations.buckets);
  }

  @Override
  public int hashCode() {
    return buckets.hashCode();
  }

  @Override
  public String toString() {
    return buckets.toString();
  }
}
