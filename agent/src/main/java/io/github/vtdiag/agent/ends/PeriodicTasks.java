package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.ReflectedField;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The periodic tasks of a {@code ScheduledThreadPoolExecutor}. Threads wait for the end of one as
 * long as it goes on: it is no task that nobody runs while it is not yet due.
 */
public final class PeriodicTasks {
  private static final String TASK =
      "java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask";

  /** The place in the queue; negative for a task that runs, or that the executor has dropped. */
  private final ReflectedField place = ReflectedField.of(TASK, "heapIndex");

  /** Returns whether it is such a task. */
  boolean is(Object task) {
    return place.value(task) != null
        && task instanceof RunnableScheduledFuture<?> periodic
        && periodic.isPeriodic();
  }

  /**
   * Returns how long a thread has waited in vain for such a task: since it was due.
   *
   * @param task what the thread waits for, which may be anything
   * @param waitedNanos how long it has waited
   */
  public long inVain(Object task, long waitedNanos) {
    if (!is(task)) {
      return waitedNanos;
    }
    long left = ((RunnableScheduledFuture<?>) task).getDelay(TimeUnit.NANOSECONDS);
    boolean dropped = left > 0 && (int) place.value(task) < 0;
    return dropped ? waitedNanos : Math.min(waitedNanos, Math.max(0, -left));
  }
}
