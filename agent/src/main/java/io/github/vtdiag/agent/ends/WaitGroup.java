package io.github.vtdiag.agent.ends;

import io.github.vtdiag.waits.LongWait;
import java.util.List;

/**
 * The threads at one place that have waited for long.
 *
 * @param lockIdentity the identity hash of what they are parked for, if that is one object, else 0
 * @param returned the number of threads that had waited there before, and had gone on
 * @param renewed whether one of them waited there for another object before
 * @param repeated whether their waits time out again and again, and none was woken
 * @param members these threads, except those that time out again and again
 */
public record WaitGroup(
    List<StackTraceElement> stack,
    Thread.State state,
    String lockClass,
    int lockIdentity,
    int threads,
    int returned,
    boolean renewed,
    long longestNanos,
    boolean repeated,
    LongWait.Wakers wakers,
    List<Thread> members) {
  /** The most frames of the JDK above that of a sleep. */
  private static final int SLEEP_DEPTH = 8;

  /**
   * Returns whether a thread with this stack sleeps. A sleeping thread waits for nothing, and comes
   * back to its last wait.
   */
  public static boolean isAsleep(List<StackTraceElement> stack) {
    return stack.stream()
        .limit(SLEEP_DEPTH)
        .anyMatch(
            frame ->
                frame.getMethodName().equals("sleep")
                    && frame.getClassName().equals("java.lang.Thread"));
  }

  /** Returns the same threads as ones that wait without a timeout. */
  public WaitGroup untimed() {
    return new WaitGroup(
        stack,
        Thread.State.WAITING,
        lockClass,
        lockIdentity,
        threads,
        returned,
        renewed,
        longestNanos,
        repeated,
        wakers,
        members);
  }
}
