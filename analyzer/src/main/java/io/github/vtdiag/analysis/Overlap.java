package io.github.vtdiag.analysis;

import java.util.Arrays;

/**
 * The number of a site's pins and threads at a time.
 *
 * @param pins the most pins at one moment; with very many pins, in a first part of the time. If
 *     each held a monitor, that many objects were locked: no two threads are in one monitor
 * @param threads the average number of threads at a time: each counts from its first pin to its
 *     last
 */
public record Overlap(int pins, double threads) {
  /** The smallest part of all pinned time for which the overlap is computed. */
  static final double LEAST_SHARE = 0.05;

  /** The number of pins that suffices to find the most at one moment. */
  private static final int ENOUGH = 100_000;

  /**
   * Computes the overlap of pins.
   *
   * @param starts the start of each pin
   * @param ends the end of each pin
   * @param threads the number of each pin's thread
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

  /** Returns the most pins at a moment, among those that began before {@code until}. */
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
