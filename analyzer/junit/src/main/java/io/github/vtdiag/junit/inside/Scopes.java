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

  /** True if JUnit reports all tests, not only those with a demand. */
  private static volatile boolean complete;

  /** Creates the record; JUnit's listener calls this by name. */
  public Scopes() {}

  @Override
  public void begin(String test) {
    complete = true;
    // A test that a thread of JUnit's runs while another waits is not part of that one.
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

  /** Returns the test that JUnit reported on this thread, or else a new one. */
  static TestSpan current(String test) {
    Deque<Lineage.Mark> outer = OUTER.get();
    return LINEAGE
        .current()
        .filter(scope -> scope.single && scope.threadId == Thread.currentThread().threadId())
        .filter(scope -> !outer.isEmpty())
        .orElseGet(() -> enter(test, Optional.empty(), !complete));
  }

  /** Ends the test of {@link #current}. */
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

  /** The mark of a thread that had none. */
  private static final Lineage.Mark NONE = new Lineage.Mark(null, 0);

  static Collection<TestSpan> all() {
    return ALL;
  }

  /** Returns whether no other test ran at a time, except those within and around this one. */
  static boolean isAlone(TestSpan test, long nanos, long tolerance) {
    return complete
        && ALL.stream()
            .filter(other -> !other.isWithin(test) && !test.isWithin(other))
            .noneMatch(other -> other.covers(nanos, tolerance));
  }
}
