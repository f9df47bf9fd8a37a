package io.github.vtdiag.agent.threads;

import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The periodic tasks of a {@code ScheduledThreadPoolExecutor}. Threads wait for the end of one as
 * long as it goes on: it is no task that nobody runs while it is not yet due.
 */
final class PeriodicTasks {
  private static final String TASK =
      "java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask";

  /** The place in the queue; negative for a task that runs, or that the executor has dropped. */
  private final ReflectedField place = ReflectedField.of(TASK, "heapIndex");

  /**
   * Returns how long a thread has waited in vain for such a task: since it was due.
   *
   * @param task what the thread waits for, which may be anything
   * @param waitedNanos how long it has waited
   */
  long inVain(Object task, long waitedNanos) {
    if (!(place.value(task) instanceof Integer index)
        || !(task instanceof RunnableScheduledFuture<?> periodic)
        || !periodic.isPeriodic()) {
      return waitedNanos;
    }
    long left = periodic.getDelay(TimeUnit.NANOSECONDS);
    return left > 0 && index < 0 ? waitedNanos : Math.min(waitedNanos, Math.max(0, -left));
  }
}
