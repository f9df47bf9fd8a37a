package io.github.vtdiag.page;

import io.github.vtdiag.analysis.PinsAlike;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A histogram of the lengths of pins, on a logarithmic scale.
 *
 * @param bins the bins from the shortest on, without a gap
 * @param below the pins shorter than JFR records by default
 * @param above the other pins
 */
record Lengths(List<Bin> bins, Sum below, Sum above) {
  /** The length below which JFR's own settings leave pins out. */
  static final long BOUND = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int A_DECADE = 6;

  /** The pins from one length up to another. */
  record Bin(long fromNanos, long toNanos, long pins, long nanos) {}

  /** A number of pins, and their time together. */
  record Sum(long pins, long nanos) {}

  static Lengths of(List<PinsAlike> pins, OptionalLong threshold) {
    long pinsBelow = 0;
    long nanosBelow = 0;
    long pinsAbove = 0;
    long nanosAbove = 0;
    // The bound is an edge, so that no bin is on both sides of it.
    int lowest = threshold.isPresent() ? bin(Math.max(1, threshold.getAsLong())) : bin(BOUND);
    int highest = bin(BOUND);
    long[] counts = new long[2 * OFFSET];
    long[] nanos = new long[2 * OFFSET];
    for (PinsAlike alike : pins) {
      for (int i = 0; i < alike.count(); i++) {
        long length = Math.max(1, alike.durationNanos(i));
        int bin = bin(length);
        lowest = Math.min(lowest, bin);
        highest = Math.max(highest, bin);
        counts[bin + OFFSET]++;
        nanos[bin + OFFSET] += length;
        if (length < BOUND) {
          pinsBelow++;
          nanosBelow += length;
        } else {
          pinsAbove++;
          nanosAbove += length;
        }
      }
    }
    List<Bin> bins = new ArrayList<>();
    for (int bin = Math.min(lowest, -A_DECADE); bin <= Math.max(highest, A_DECADE); bin++) {
      bins.add(new Bin(edge(bin), edge(bin + 1), counts[bin + OFFSET], nanos[bin + OFFSET]));
    }
    return new Lengths(bins, new Sum(pinsBelow, nanosBelow), new Sum(pinsAbove, nanosAbove));
  }

  /** The number of bins below the bound, and above it: enough from a nanosecond to any long. */
  private static final int OFFSET = 12 * A_DECADE;

  /** The lower edges of the bins, that of the lowest number first. */
  private static final long[] EDGES =
      IntStream.range(-OFFSET, OFFSET).mapToLong(Lengths::edge).toArray();

  private static int bin(long nanos) {
    int found = Arrays.binarySearch(EDGES, nanos);
    return (found < 0 ? -found - 2 : found) - OFFSET;
  }

  static long edge(int bin) {
    return Math.round(BOUND * Math.pow(10, (double) bin / A_DECADE));
  }

  long mostPins() {
    return bins.stream().mapToLong(Bin::pins).max().orElse(0);
  }
}
