package io.github.vtdiag.junit.inside;

import io.github.vtdiag.junit.TestThreads;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The tests of this JVM: those that run, and those that ran. */
public final class Scopes implements TestThreads {
  private static final Lineage LINEAGE = new Lineage();
  private static final ThreadLocal<Deque<Lineage.Mark>> OUTER =
      ThreadLocal.withInitial(ArrayDeque::new);
  private static final Collection<TestSpan> ALL = new ConcurrentLinkedQueue<>();

  /** Whether JUnit tells of all tests, or only of those of which something is asked. */
  private static volatile boolean complete;

  /** For JUnit's listener, by name. */
  public Scopes() {}

  @Override
  public void begin(String test) {
    complete = true;
    // One that a thread of JUnit's runs while another waits is no part of that.
    enter(
        test,
        LINEAGE
            .current()
            .filter(scope -> !scope.single && scope.threadId == Thread.currentThread().threadId()),
        true);
  }

  @Override
  public void end() {
    leave();
  }

  /** The test that JUnit told of on this thread, or else a new one. */
  static TestSpan current(String test) {
    Deque<Lineage.Mark> outer = OUTER.get();
    return LINEAGE
        .current()
        .filter(scope -> scope.single && scope.threadId == Thread.currentThread().threadId())
        .filter(scope -> !outer.isEmpty())
        .orElseGet(() -> enter(test, Optional.empty(), !complete));
  }

  /** Ends what {@link #current} began. */
  static void end(TestSpan scope) {
    if (complete && scope.single) {
      return;
    }
    leave();
  }

  private static TestSpan enter(String test, Optional<TestSpan> around, boolean single) {
    Lineage.Mark before = LINEAGE.get();
    OUTER.get().push(before == null ? NONE : before);
    TestSpan scope = new TestSpan(test, around, single);
    ALL.add(scope);
    LINEAGE.enter(scope);
    return scope;
  }

  private static void leave() {
    LINEAGE.current().ifPresent(TestSpan::end);
    Lineage.Mark before = OUTER.get().poll();
    if (before == null || before == NONE) {
      LINEAGE.remove();
    } else {
      LINEAGE.set(before);
    }
    if (OUTER.get().isEmpty()) {
      OUTER.remove();
    }
  }

  /** Where nothing was before. */
  private static final Lineage.Mark NONE = new Lineage.Mark(null, 0);

  static Collection<TestSpan> all() {
    return ALL;
  }

  /** Whether of all tests none went on at a time but this, and those within and around it. */
  static boolean isAlone(TestSpan test, long nanos, long tolerance) {
    return complete
        && ALL.stream()
            .filter(other -> !other.isWithin(test) && !test.isWithin(other))
            .noneMatch(other -> other.covers(nanos, tolerance));
  }
}
