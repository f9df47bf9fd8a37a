package io.github.vtdiag.analysis;

import java.util.Arrays;

/**
 * How many of a site's pins, and of the threads that come there, there were at a time.
 *
 * @param pins the most pins at one moment; of very many, in a first part of the time. Where each
 *     held a monitor, that many objects were locked: no two threads are in one
 * @param threads the threads at a time, on average: each counts from its first pin to its last
 */
public record Overlap(int pins, double threads) {
  /** Of a smaller part of all pinned time it is not told. */
  static final double LEAST_SHARE = 0.05;

  /** So many pins tell enough of how many there are at one moment. */
  private static final int ENOUGH = 100_000;

  /**
   * Counts.
   *
   * @param starts of each pin
   * @param ends of each pin
   * @param threads of each pin the number of its thread
   */
  static Overlap of(long[] starts, long[] ends, int[] threads) {
    // Plain loops: there may be a million pins, and this runs once.
    int numbers = 0;
    for (int thread : threads) {
      numbers = Math.max(numbers, thread + 1);
    }
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
    long there = 0;
    for (int thread = 0; thread < numbers; thread++) {
      there += first[thread] == Long.MAX_VALUE ? 0 : last[thread] - first[thread];
    }
    double part = (double) ENOUGH / threads.length;
    long until = part >= 1 ? Long.MAX_VALUE : begin + Math.round((end - begin) * part);
    return new Overlap(
        atOnce(starts, ends, until), end > begin ? (double) there / (end - begin) : 0);
  }

  /** The most pins at a moment, of those that began before {@code until}. */
  private static int atOnce(long[] starts, long[] ends, long until) {
    long[] begun = new long[starts.length];
    long[] over = new long[starts.length];
    int count = 0;
    for (int pin = 0; pin < starts.length; pin++) {
      if (starts[pin] < until) {
        begun[count] = starts[pin];
        over[count++] = ends[pin];
      }
    }
    Arrays.sort(begun, 0, count);
    Arrays.sort(over, 0, count);
    int most = 0;
    int left = 0;
    for (int pin = 0; pin < count; pin++) {
      while (left <= pin && over[left] <= begun[pin]) {
        left++;
      }
      most = Math.max(most, pin + 1 - left);
    }
    return most;
  }
}
