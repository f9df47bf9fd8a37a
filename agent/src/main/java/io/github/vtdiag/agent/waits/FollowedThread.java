package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.threads.TimedPlaces;
import io.github.vtdiag.agent.threads.Wakings.Door;
import java.util.List;

/** One thread that {@link LongWaits} follows. */
final class FollowedThread {
  /** The most frames of the JDK above that of a sleep. */
  private static final int SLEEP_DEPTH = 8;

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
   * Returns whether it sleeps. A sleeping thread waits for nothing, and comes back to its last
   * wait.
   */
  static boolean isAsleep(List<StackTraceElement> stack) {
    return stack.stream()
        .limit(SLEEP_DEPTH)
        .anyMatch(
            frame ->
                frame.getMethodName().equals("sleep")
                    && frame.getClassName().equals("java.lang.Thread"));
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
