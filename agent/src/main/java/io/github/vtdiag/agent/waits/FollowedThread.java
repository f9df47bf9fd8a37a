package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.WaitGroup;
import io.github.vtdiag.agent.threads.TimedPlaces;
import io.github.vtdiag.agent.threads.Wakings.Door;
import io.github.vtdiag.waits.LongWait;
import java.util.List;

/** One thread that {@link LongWaits} follows. */
final class FollowedThread {
  /** Fewer threads, which came at {@link #MANY_LOOKS} samples, may be idle workers. */
  private static final int MANY = 16;

  private static final int MANY_LOOKS = 5;

  /** A place where threads wait, how, and the class of what they wait for. */
  record Place(List<StackTraceElement> stack, Thread.State state, String lockClass) {
    TimedPlaces.Place timed() {
      return new TimedPlaces.Place(stack, lockClass);
    }
  }

  final Thread thread;
  List<StackTraceElement> stack;

  /** The stack at which it waited before, other than asleep; null if there is none. */
  List<StackTraceElement> last;

  /** The identity hash of what it waited for there; 0 if it did not say. */
  int lastLock;

  Thread.State state;
  Object lock;
  long nanos;
  boolean moved;
  boolean returned;

  /** True if it waited for another object when it was there before. */
  boolean renewed;

  /** The sample at which it came; 0 if it may have been there before. */
  long came;

  FollowedThread(Thread thread) {
    this.thread = thread;
  }

  Place place() {
    return new Place(stack, state, lock == null ? "" : lock.getClass().getName());
  }

  Door door() {
    return Door.of(stack, lock);
  }

  /**
   * Returns a group of threads that wait at one place.
   *
   * @param longestNanos how long the first of them has waited
   */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  static WaitGroup group(List<FollowedThread> waits, long longestNanos, LongWait.Wakers wakers) {
    FollowedThread first = waits.getFirst();
    Object lock = first.lock;
    boolean one = lock != null && waits.stream().allMatch(wait -> wait.lock == lock);
    return new WaitGroup(
        first.stack,
        first.state,
        lock == null ? "" : lock.getClass().getName(),
        one ? System.identityHashCode(lock) : 0,
        waits.size(),
        (int) waits.stream().filter(wait -> wait.returned).count(),
        waits.stream().anyMatch(wait -> wait.renewed),
        longestNanos,
        false,
        wakers,
        waits.stream().map(wait -> wait.thread).toList());
  }

  /**
   * Returns whether threads came one by one to wait for one object, and none went on.
   *
   * @param leftAt the time at which a thread was last seen to go on from there
   */
  static boolean moreCame(Door door, List<FollowedThread> waits, long now, long leftAt) {
    List<FollowedThread> since = waits.stream().filter(wait -> now - wait.nanos > leftAt).toList();
    return door.lock() != 0
        && since.size() >= MANY
        && waits.stream().noneMatch(wait -> wait.returned)
        && since.stream().map(wait -> wait.came).distinct().count() >= MANY_LOOKS;
  }
}
