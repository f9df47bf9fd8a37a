package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.ReflectedField;
import io.github.vtdiag.waits.LongWait;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;

/** The futures for which threads are parked, as far as the JDK's own fields tell. */
public class FutureWaits {
  /** The number of threads at one future among which the first is looked for. */
  private static final int MOST = 100;

  /** Without a value on a JDK that keeps them elsewhere. */
  private final ReflectedField runner = ReflectedField.of(FutureTask.class.getName(), "runner");

  private final PeriodicTasks periodic = new PeriodicTasks();

  private final ReflectedField next =
      ReflectedField.of(CompletableFuture.class.getName() + "$Completion", "next");

  /** Returns whether a thread runs the task that somebody waits for. */
  public boolean isRun(Object lock) {
    return runner(lock).isPresent();
  }

  /** Returns whether it is a task that is to run again and again. */
  public boolean isPeriodic(Object lock) {
    return periodic.is(lock);
  }

  /** Returns the thread that runs the task that somebody waits for; empty if none does. */
  public Optional<Thread> runner(Object lock) {
    return runner.value(lock) instanceof Thread thread ? Optional.of(thread) : Optional.empty();
  }

  /** Returns how long a thread has waited in vain, if it waits for a task that is periodic. */
  public long inVain(Object lock, long waitedNanos) {
    return periodic.inVain(lock, waitedNanos);
  }

  /** Returns whether it is such a task, and it does run again and again. */
  public boolean comesAgain(Object lock) {
    return periodic.inVain(lock, LongWait.SHORTEST_NANOS) < LongWait.SHORTEST_NANOS;
  }

  /**
   * Returns what stands for the future: the one of all threads parked there that came first, or
   * what the thread is parked for if it is no future.
   */
  public Object first(Object lock) {
    Object first = lock;
    Object below = next.value(first);
    for (int i = 0; below != null && i < MOST; i++) {
      first = below;
      below = next.value(first);
    }
    return first;
  }
}
