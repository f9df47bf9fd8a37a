package io.github.vtdiag.junit.inside;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The time of one test on its thread, and the threads that came of it. */
final class TestSpan {
  final String test;

  /** A factory of tests, if this is one of its tests. */
  final Optional<TestSpan> around;

  /** Whether it is a test for sure; the others may have tests within. */
  final boolean single;

  final long threadId = Thread.currentThread().threadId();
  final long beginNanos = EventClock.nanos();

  /** Drawn when it began: threads with a lower number are older. */
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

  /** Whether it went on at a time, give or take. */
  boolean covers(long nanos, long tolerance) {
    long end = endNanos;
    return beginNanos - tolerance <= nanos && (end == Long.MAX_VALUE || nanos <= end + tolerance);
  }

  boolean isWithin(TestSpan other) {
    return this == other || (around.isPresent() && around.get().isWithin(other));
  }
}
