package io.github.vtdiag.junit.inside;

import java.util.Optional;

/**
 * Passes a test from its thread to all threads that this creates, and that those create. Java calls
 * {@link #childValue} on the creating thread for each of them.
 */
final class Lineage extends InheritableThreadLocal<Lineage.Mark> {

  /** The test of one thread; only that thread uses it. */
  static final class Mark {
    final TestSpan scope;
    private long last;
    private Creation creation;

    Mark(TestSpan scope, long last) {
      this.scope = scope;
      this.last = last;
    }

    private Mark created() {
      long after = ThreadNumber.next();
      boolean virtual = scope.createsVirtualThread();
      if (creation == null || !creation.extend(last, after, virtual)) {
        creation = new Creation(scope, last, after, virtual);
        scope.add(creation);
      }
      last = after;
      return new Mark(scope, after);
    }
  }

  Lineage() {
    // Its own check creates threads, which must not be those of a test: they would ask it too
    // early.
    NewThread.load();
  }

  @Override
  protected Mark childValue(Mark parent) {
    return parent == null ? null : parent.created();
  }

  Optional<TestSpan> current() {
    return Optional.ofNullable(get()).map(mark -> mark.scope);
  }

  void enter(TestSpan scope) {
    set(new Mark(scope, scope.firstId));
  }
}
