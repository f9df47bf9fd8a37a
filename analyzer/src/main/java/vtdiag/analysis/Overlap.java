package vtdiag.analysis;

import java.util.Arrays;

/**
 * How many of a site's pins, and of the threads that come there, there were at a time.
 *
 * @param pins the most pins at one moment. Where each held a monitor, that many objects were
 *     locked: no two threads are in one
 * @param threads the threads at a time, on average: each counts from its first pin to its last
 */
public record Overlap(int pins, double threads) {
  /** Of a smaller part of all pinned time it is not told. */
  static final double LEAST_SHARE = 0.05;

  /**
   * Counts.
   *
   * @param starts of each pin; gets sorted
   * @param ends of each pin; gets sorted
   * @param threads of each pin the number of its thread
   */
  static Overlap of(long[] starts, long[] ends, int[] threads) {
    double threadsAtATime = threadsAtATime(starts, ends, threads);
    Arrays.sort(starts);
    Arrays.sort(ends);
    int most = 0;
    int over = 0;
    for (int begun = 0; begun < starts.length; begun++) {
      while (over <= begun && ends[over] <= starts[begun]) {
        over++;
      }
      most = Math.max(most, begun + 1 - over);
    }
    return new Overlap(most, threadsAtATime);
  }

  private static double threadsAtATime(long[] starts, long[] ends, int[] threads) {
    int numbers = Arrays.stream(threads).max().orElse(-1) + 1;
    long[] first = new long[numbers];
    long[] last = new long[numbers];
    Arrays.fill(first, Long.MAX_VALUE);
    long begin = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (int pin = 0; pin < threads.length; pin++) {
      int thread = threads[pin];
      first[thread] = Math.min(first[thread], starts[pin]);
      last[thread] = Math.max(last[thread], ends[pin]);
      begin = Math.min(begin, starts[pin]);
      end = Math.max(end, ends[pin]);
    }
    double there = 0;
    for (int thread = 0; thread < numbers; thread++) {
      there += first[thread] == Long.MAX_VALUE ? 0 : last[thread] - first[thread];
    }
    return end > begin ? there / (end - begin) : 0;
  }
}
