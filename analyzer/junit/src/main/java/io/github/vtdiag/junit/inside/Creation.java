package io.github.vtdiag.junit.inside;

import java.util.OptionalLong;

/**
 * One or more threads that a thread of a test created. Java does not tell a creator the number of
 * the thread, only that there is a new one; so a number is drawn before and after, and the new
 * thread's is between them. Where others drew numbers meanwhile, {@link NewThread} knows which.
 */
final class Creation {
  /** From here to the constructor of a virtual thread it is half as many. */
  private static final int MOST_FRAMES = 20;

  final TestSpan scope;

  /** The numbers are above this one, which was drawn before. */
  final long low;

  /** When the first of them was there, in nanoseconds since the epoch. */
  final long nanos;

  /** The numbers are below this one, which was drawn afterwards. */
  private volatile long high;

  /** Whether nobody else drew a number meanwhile: every other one is that of a thread. */
  private final boolean exact;

  /** The number of the one thread, where others drew numbers, too. */
  final OptionalLong number;

  /** Of one whose number is not known: whether the thread is a virtual one. */
  final boolean virtual;

  Creation(TestSpan scope, long low, long high) {
    this.scope = scope;
    this.low = low;
    this.high = high;
    exact = high == low + 2;
    number = exact ? OptionalLong.empty() : NewThread.number();
    virtual = !exact && number.isEmpty() && isVirtual();
    nanos = EventClock.nanos();
  }

  /** Whether the thread that is just being created is a virtual one. */
  private static boolean isVirtual() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .limit(MOST_FRAMES)
                    .anyMatch(frame -> frame.getClassName().equals("java.lang.BaseVirtualThread")));
  }

  long high() {
    return high;
  }

  boolean isExact() {
    return exact;
  }

  /** Takes one more, if that is exact too and follows at once. */
  boolean extend(long before, long after) {
    if (exact && high == before && after == before + 2) {
      high = after;
      return true;
    }
    return false;
  }

  boolean spans(long id) {
    return low < id && id < high;
  }

  /** Of an exact one: whether the number is that of a thread, and not one that was drawn. */
  boolean made(long id) {
    return exact && spans(id) && (id - low) % 2 == 1;
  }

  boolean drew(long id) {
    return id == low || id == high || (exact && spans(id) && (id - low) % 2 == 0);
  }
}
