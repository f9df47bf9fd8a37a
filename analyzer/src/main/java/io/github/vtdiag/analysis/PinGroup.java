package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.StackTrace;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Pins of one recording that look the same, and so are due to the same; or one that was sampled.
 */
final class PinGroup {
  final Attribution attribution;
  final List<Site> sites;
  final StackTrace stack;

  /** Whether they were over when the recording ended. */
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
   * @param starts has those of the pins from {@code begin} to {@code end}
   * @param durations the same of how long they took
   * @param threads the same of the numbers of their threads
   * @param carriers the same of the numbers of their carriers
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

  /** How long they took up to a moment. */
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

  /** Copies when the pins began, and returns the place after them. */
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
