package io.github.vtdiag.junit.inside;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

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

  /**
   * The most threads that are looked at whether they are virtual: it takes microseconds, and a test
   * that leaves threads behind leaves some of its first.
   */
  private static final int MOST_LOOKED_AT = 64;

  private final AtomicInteger lookedAt = new AtomicInteger();
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

  /**
   * Called while one of its threads creates another: returns whether that is known to be virtual.
   */
  boolean createsVirtualThread() {
    return lookedAt.get() < MOST_LOOKED_AT
        && lookedAt.incrementAndGet() <= MOST_LOOKED_AT
        && Creation.isVirtual();
  }

  /** Returns the numbers of its virtual threads, also of those that have not begun to run. */
  Stream<Long> virtualThreads() {
    return creations.stream()
        .filter(creation -> creation.virtual)
        .flatMap(creation -> creation.numbers().boxed());
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
