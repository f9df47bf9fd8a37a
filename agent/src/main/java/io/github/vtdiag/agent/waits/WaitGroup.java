package io.github.vtdiag.agent.waits;

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
record WaitGroup(
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
  /**
   * Returns a group of threads that wait at one place.
   *
   * @param longestNanos how long the first of them has waited
   */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  static WaitGroup of(List<FollowedThread> waits, long longestNanos, LongWait.Wakers wakers) {
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

  /** Returns the same threads as ones that wait without a timeout. */
  WaitGroup untimed() {
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
