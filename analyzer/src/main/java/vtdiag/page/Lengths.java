package vtdiag.page;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import vtdiag.analysis.PinsAlike;

/**
 * How many pins were how long, on a logarithmic scale.
 *
 * @param bins from the shortest on, without a gap
 * @param below those shorter than what JFR records by default
 * @param above the others
 */
record Lengths(List<Bin> bins, Sum below, Sum above) {
  /** JFR's own settings leave shorter pins out. */
  static final long BOUND = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int A_DECADE = 6;

  /** Pins from one length up to another. */
  record Bin(long fromNanos, long toNanos, long pins, long nanos) {}

  /** So many pins, and their time together. */
  record Sum(long pins, long nanos) {
    Sum and(long length) {
      return new Sum(pins + 1, nanos + length);
    }
  }

  static Lengths of(List<List<PinsAlike>> recordings, OptionalLong threshold) {
    Sum below = new Sum(0, 0);
    Sum above = new Sum(0, 0);
    // What the bound is a border of: no bin is on both sides of it.
    int lowest = threshold.isPresent() ? bin(Math.max(1, threshold.getAsLong())) : bin(BOUND);
    int highest = bin(BOUND);
    List<long[]> counts = new ArrayList<>();
    for (int i = 0; i < 2 * OFFSET; i++) {
      counts.add(new long[2]);
    }
    for (List<PinsAlike> recording : recordings) {
      for (PinsAlike alike : recording) {
        for (int i = 0; i < alike.count(); i++) {
          long length = Math.max(1, alike.durationNanos(i));
          int bin = bin(length);
          lowest = Math.min(lowest, bin);
          highest = Math.max(highest, bin);
          counts.get(bin + OFFSET)[0]++;
          counts.get(bin + OFFSET)[1] += length;
          below = length < BOUND ? below.and(length) : below;
          above = length < BOUND ? above : above.and(length);
        }
      }
    }
    List<Bin> bins = new ArrayList<>();
    for (int bin = Math.min(lowest, -A_DECADE); bin <= Math.max(highest, A_DECADE); bin++) {
      long[] count = counts.get(bin + OFFSET);
      bins.add(new Bin(edge(bin), edge(bin + 1), count[0], count[1]));
    }
    return new Lengths(bins, below, above);
  }

  /** From a nanosecond to all that fits a long. */
  private static final int OFFSET = 12 * A_DECADE;

  private static int bin(long nanos) {
    int bin = (int) Math.floor(Math.log10((double) nanos / BOUND) * A_DECADE);
    // Logarithms are not exact, borders are.
    if (nanos >= edge(bin + 1)) {
      return bin + 1;
    }
    return nanos < edge(bin) ? bin - 1 : bin;
  }

  static long edge(int bin) {
    return Math.round(BOUND * Math.pow(10, (double) bin / A_DECADE));
  }

  long mostPins() {
    return bins.stream().mapToLong(Bin::pins).max().orElse(0);
  }
}
