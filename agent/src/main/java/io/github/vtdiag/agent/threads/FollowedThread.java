package io.github.vtdiag.agent.threads;

import io.github.vtdiag.agent.threads.Wakings.Door;
import java.util.List;

/** One thread that {@link LongWaits} follows. */
final class FollowedThread {
  /** So many frames of the JDK stand on that of a sleep at most. */
  private static final int SLEEP_DEPTH = 8;

  final Thread thread;
  List<StackTraceElement> stack;

  /** Where it waited before, other than asleep; null if nowhere. */
  List<StackTraceElement> last;

  /** The identity hash of what it waited for there; 0 if it did not say. */
  int lastLock;

  Thread.State state;
  Object lock;
  long nanos;
  boolean moved;
  boolean returned;

  /** Whether it waited for another object when it was there before. */
  boolean renewed;

  /** The look at which it came; 0 if it may have been there before. */
  long came;

  FollowedThread(Thread thread) {
    this.thread = thread;
  }

  Door door() {
    return Door.of(stack, lock);
  }

  /** Who sleeps waits for nothing, and comes back to where it waited before. */
  static boolean isAsleep(List<StackTraceElement> stack) {
    return stack.stream()
        .limit(SLEEP_DEPTH)
        .anyMatch(
            frame ->
                frame.getMethodName().equals("sleep")
                    && frame.getClassName().equals("java.lang.Thread"));
  }
}
