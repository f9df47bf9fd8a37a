package io.github.vtdiag.junit.inside;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The time of one test on its thread, and the threads that it created. */
final class TestSpan {
  final String test;

  /** The factory of tests, if this is one of its tests. */
  final Optional<TestSpan> around;

  /** True if it is certainly a test; others may have tests within. */
  final boolean single;

  final long threadId = Thread.currentThread().threadId();
  final long beginNanos = EventClock.nanos();

  /** The number that was drawn when it began: threads with a lower number are older. */
  final long firstId = ThreadNumber.next();

  private final Collection<Creation> creations = new ConcurrentLinkedQueue<>();
  private volatile long endNanos = Long.MAX_VALUE;

  TestSpan(String test, Optional<TestSpan> around, boolean single) {
    this.test = test;
    this.around = around;
    this.single = single;
  }

  void add(Creation creation) {
    creations.add(creation);
  }

  Collection<Creation> creations() {
    return creations;
  }

  void end() {
    endNanos = EventClock.nanos();
  }

  /** Returns whether it ran at a time, within a tolerance. */
  boolean covers(long nanos, long tolerance) {
    long end = endNanos;
    return beginNanos - tolerance <= nanos && (end == Long.MAX_VALUE || nanos <= end + tolerance);
  }

  boolean isWithin(TestSpan other) {
    return this == other || (around.isPresent() && around.get().isWithin(other));
  }
}
