package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.StackTrace;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Pins of one recording that look the same, and therefore have the same causes; or a single pin
 * that was sampled.
 */
final class PinGroup {
  final Attribution attribution;
  final List<Site> sites;
  final StackTrace stack;

  /** True if the pins had ended when the recording did. */
  final boolean ended;

  final long fromNanos;
  final long toNanos;
  private final long[] starts;
  private final long[] durations;
  private final int[] threads;
  private final int[] carriers;
  private final int begin;
  private final int end;

  /**
   * @param starts the times of start; those of these pins are from {@code begin} to {@code end}
   * @param durations the durations, at the same places
   * @param threads the numbers of the threads, at the same places
   * @param carriers the numbers of the carriers, at the same places
   */
  PinGroup(
      Attribution attribution,
      StackTrace stack,
      boolean ended,
      long fromNanos,
      long toNanos,
      long[] starts,
      long[] durations,
      int[] threads,
      int[] carriers,
      int begin,
      int end) {
    this.attribution = attribution;
    this.stack = stack;
    this.ended = ended;
    this.fromNanos = fromNanos;
    this.toNanos = toNanos;
    this.starts = starts;
    this.durations = durations;
    this.threads = threads;
    this.carriers = carriers;
    this.begin = begin;
    this.end = end;
    sites = attribution.causes().stream().map(cause -> Site.of(cause, stack)).toList();
  }

  long count() {
    return (long) end - begin;
  }

  long nanos() {
    return durations().sum();
  }

  /** Returns how long the pins took up to a moment. */
  long nanosUntil(long moment) {
    if (toNanos <= moment) {
      return nanos();
    }
    long nanos = 0;
    for (int pin = begin; pin < end; pin++) {
      nanos += Math.clamp(moment - starts[pin], 0L, durations[pin]);
    }
    return nanos;
  }

  LongStream durations() {
    return Arrays.stream(durations, begin, end);
  }

  /** Copies the durations, and returns the place after them. */
  int copyDurations(long[] into, int place) {
    System.arraycopy(durations, begin, into, place, end - begin);
    return place + end - begin;
  }

  /** Copies the times at which the pins began, and returns the place after them. */
  int copyStarts(long[] into, int place) {
    System.arraycopy(starts, begin, into, place, end - begin);
    return place + end - begin;
  }

  long startNanos(int pin) {
    return starts[begin + pin];
  }

  long durationNanos(int pin) {
    return durations[begin + pin];
  }

  int thread(int pin) {
    return threads[begin + pin];
  }

  int carrier(int pin) {
    return carriers[begin + pin];
  }

  IntStream threads() {
    return Arrays.stream(threads, begin, end);
  }
}
