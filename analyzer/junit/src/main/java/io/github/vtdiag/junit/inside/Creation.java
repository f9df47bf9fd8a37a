package io.github.vtdiag.junit.inside;

import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * One or more threads that a thread of a test created. Java does not tell a creator the number of
 * the thread, only that there is a new one. So a number is drawn before and after, and the new
 * thread's is between them. If others drew numbers meanwhile, {@link NewThread} knows which it is.
 */
final class Creation {
  /**
   * The most frames that are searched: twice as many as there are up to the constructor of a
   * virtual thread.
   */
  private static final int MOST_FRAMES = 20;

  final TestSpan scope;

  /** The numbers are above this one, which was drawn before. */
  final long low;

  /** The time when the first of them was there, in nanoseconds since the epoch. */
  final long nanos;

  /** The numbers are below this one, which was drawn afterwards. */
  private volatile long high;

  /** True if no other thread drew a number meanwhile: every other number is that of a thread. */
  private final boolean exact;

  /** The number of the one thread, if others drew numbers, too. */
  final OptionalLong number;

  /** True if the thread is virtual: always known if the number is not. */
  final boolean virtual;

  /**
   * @param virtual whether it is known that the new thread is virtual
   */
  Creation(TestSpan scope, long low, long high, boolean virtual) {
    this.scope = scope;
    this.low = low;
    this.high = high;
    exact = high == low + 2;
    number = exact ? OptionalLong.empty() : NewThread.number();
    this.virtual = virtual || (!exact && number.isEmpty() && isVirtual());
    nanos = EventClock.nanos();
  }

  /** Returns whether the thread that is just being created is virtual. */
  static boolean isVirtual() {
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

  /** Returns the numbers of the threads, as far as they are known. */
  LongStream numbers() {
    return exact
        ? LongStream.range(low + 1, high).filter(this::made)
        : number.isPresent() ? LongStream.of(number.getAsLong()) : LongStream.empty();
  }

  /** Adds one more thread, if it is exact too, follows at once, and is of the same kind. */
  boolean extend(long before, long after, boolean isVirtual) {
    if (exact && virtual == isVirtual && high == before && after == before + 2) {
      high = after;
      return true;
    }
    return false;
  }

  boolean spans(long id) {
    return low < id && id < high;
  }

  /**
   * Returns whether the number is that of a thread, and not a drawn one. Only for an exact
   * creation.
   */
  boolean made(long id) {
    return exact && spans(id) && (id - low) % 2 == 1;
  }

  boolean drew(long id) {
    return id == low || id == high || (exact && spans(id) && (id - low) % 2 == 0);
  }
}
