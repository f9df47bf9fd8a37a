package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.ReflectedField;
import io.github.vtdiag.agent.threads.ThreadSnapshots;
import io.github.vtdiag.model.KnownLibraries;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Finds the latches and futures to which a task refers that a {@code ScheduledThreadPoolExecutor}
 * or a {@code java.util.Timer} is to run once, later, and the timeouts of futures. These may end
 * the waits for them. From Java 25 on the tasks of fork-join pools are kept where nobody can see
 * them: then only their number is known.
 */
public final class TimerTasks {
  /** The number of tasks whose objects are visited. */
  private static final int MOST = 200;

  /** A task that should have run that long ago waits for a thread, which may be stuck. */
  private static final long OVERDUE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The state of a Timer's task that is to run: a cancelled one stays in the queue. */
  private static final int SCHEDULED_STATE = 1;

  private static final String SCHEDULED = "java.util.concurrent.ScheduledThreadPoolExecutor$";

  private static final String FUTURE = CompletableFuture.class.getName() + "$";

  private static final String SIGNALLER = FUTURE + "Signaller";

  /** The ways from a worker of a pool to its tasks, and from a wait to its timeout. */
  record Fields(
      ReflectedField pool,
      ReflectedField queue,
      ReflectedField tasks,
      ReflectedField time,
      ReflectedField period,
      ReflectedField callable,
      ReflectedField runnable,
      ReflectedField next,
      ReflectedField function,
      ReflectedField timer,
      ReflectedField queueOfTimer,
      ReflectedField tasksOfTimer,
      ReflectedField timeOfTimer,
      ReflectedField periodOfTimer,
      ReflectedField stateOfTimer,
      ReflectedField delayScheduler,
      ReflectedField delayedTasks) {
    static Fields read() {
      return new Fields(
          ReflectedField.of("java.util.concurrent.ThreadPoolExecutor$Worker", "this$0"),
          ReflectedField.of("java.util.concurrent.ThreadPoolExecutor", "workQueue"),
          ReflectedField.of(SCHEDULED + "DelayedWorkQueue", "queue"),
          ReflectedField.of(SCHEDULED + "ScheduledFutureTask", "time"),
          ReflectedField.of(SCHEDULED + "ScheduledFutureTask", "period"),
          ReflectedField.of(FutureTask.class.getName(), "callable"),
          ReflectedField.of("java.util.concurrent.Executors$RunnableAdapter", "task"),
          ReflectedField.of(FUTURE + "Completion", "next"),
          ReflectedField.of(FUTURE + "UniWhenComplete", "fn"),
          ReflectedField.of(FUTURE + "Canceller", "f"),
          ReflectedField.of("java.util.TimerThread", "queue"),
          ReflectedField.of("java.util.TaskQueue", "queue"),
          ReflectedField.of(TimerTask.class.getName(), "nextExecutionTime"),
          ReflectedField.of(TimerTask.class.getName(), "period"),
          ReflectedField.of(TimerTask.class.getName(), "state"),
          ReflectedField.of(ForkJoinPool.class.getName(), "delayScheduler"),
          ReflectedField.of("java.util.concurrent.DelayScheduler", "restingSize"));
    }
  }

  /** The fields of a class of tasks that may refer to another one. */
  private static final ClassValue<List<ReflectedField>> REFERENCES =
      new ClassValue<>() {
        @Override
        protected List<ReflectedField> computeValue(Class<?> type) {
          return Stream.of(type.getDeclaredFields())
              .filter(field -> !Modifier.isStatic(field.getModifiers()))
              .filter(field -> !field.getType().isPrimitive())
              .map(ReflectedField::of)
              .toList();
        }
      };

  private final Seldom<IdentityHashMap<Object, Long>> due = new Seldom<>(this::look);

  /** The objects to which periodic tasks of libraries refer, in a set by identity. */
  private final Set<Object> periodic = Collections.newSetFromMap(new IdentityHashMap<>());

  private final Fields fields = Fields.read();
  private final AwaitedObjects objects = new AwaitedObjects();

  /**
   * Returns when such tasks have run.
   *
   * @param blockers what threads are parked for; may contain null
   * @return in how many nanoseconds; empty unless there is a task for each
   */
  public OptionalLong end(List<Object> blockers) {
    IdentityHashMap<Object, Long> all = due.get();
    long last = 0;
    for (Object blocker : blockers) {
      Long at = blocker == null ? null : all.get(blocker);
      OptionalLong left = at == null ? timeout(blocker) : OptionalLong.of(at - System.nanoTime());
      if (left.isEmpty()) {
        return OptionalLong.empty();
      }
      last = Math.max(last, left.getAsLong());
    }
    return blockers.isEmpty() ? OptionalLong.empty() : OptionalLong.of(last);
  }

  /**
   * Returns whether a task may complete these futures that the JDK's common pool is to run later,
   * such as one of a delayed executor. The pool does not show to what its tasks refer.
   */
  public boolean mayBeDelayed(List<Object> blockers) {
    return !blockers.isEmpty()
        && blockers.stream()
            .allMatch(each -> each != null && each.getClass().getName().equals(SIGNALLER))
        && fields.delayedTasks.value(fields.delayScheduler.value(ForkJoinPool.commonPool()))
            instanceof Integer tasks
        && tasks > 0;
  }

  /** Returns in how many nanoseconds the future times out; empty if it does not, or has. */
  private OptionalLong timeout(Object blocker) {
    Object waiting = blocker;
    for (int i = 0; i < MOST && waiting != null; i++) {
      if (fields.timer.value(fields.function.value(waiting)) instanceof Delayed task) {
        long left = task.getDelay(TimeUnit.NANOSECONDS);
        return left < -OVERDUE_NANOS ? OptionalLong.empty() : OptionalLong.of(left);
      }
      waiting = fields.next.value(waiting);
    }
    return OptionalLong.empty();
  }

  /** Returns whether a periodic task of a library goes on and refers to each of these. */
  public boolean feed(List<Object> blockers) {
    due.get();
    return !blockers.isEmpty() && periodic.containsAll(blockers);
  }

  private IdentityHashMap<Object, Long> look() {
    periodic.clear();
    IdentityHashMap<Object, Long> found = new IdentityHashMap<>();
    int left = MOST;
    for (Object queue : queues()) {
      // No lock is taken, so that the agent never waits for the program. A task may be missed.
      if (fields.tasks.value(queue) instanceof Object[] tasks) {
        for (int i = 0; i < tasks.length && left > 0 && tasks[i] != null; i++, left--) {
          add(unwrapped(tasks[i]), found);
        }
      }
    }
    for (Thread thread : ThreadSnapshots.platformThreads()) {
      // A Timer that was cancelled has no tasks any more.
      if (fields.tasksOfTimer.value(fields.queueOfTimer.value(thread)) instanceof Object[] tasks) {
        Stream.of(tasks)
            .limit(MOST)
            .filter(TimerTask.class::isInstance)
            .forEach(task -> addOfTimer((TimerTask) task, found));
      }
    }
    return found;
  }

  /** Reads fields: the task's own method locks it, and the application may have its own there. */
  private void addOfTimer(TimerTask task, IdentityHashMap<Object, Long> found) {
    if (fields.periodOfTimer.value(task) instanceof Long period
        && period == 0
        && Integer.valueOf(SCHEDULED_STATE).equals(fields.stateOfTimer.value(task))
        && fields.timeOfTimer.value(task) instanceof Long time) {
      long left = TimeUnit.MILLISECONDS.toNanos(time - System.currentTimeMillis());
      if (left >= -OVERDUE_NANOS) {
        add(task, System.nanoTime() + left, found);
      }
    }
  }

  private void add(Object task, long time, IdentityHashMap<Object, Long> found) {
    objects.from(List.of(task)).forEach(blocker -> found.merge(blocker, time, Math::min));
  }

  private void add(Object task, IdentityHashMap<Object, Long> found) {
    Object callable = fields.callable.value(task);
    if (callable == null
        || !(fields.period.value(task) instanceof Long period)
        || !(fields.time.value(task) instanceof Long time)
        || time - System.nanoTime() < -OVERDUE_NANOS) {
      return;
    }
    Object runnable = fields.runnable.value(callable);
    Object root = runnable == null ? callable : runnable;
    if (period == 0) {
      add(root, time, found);
      return;
    }
    // A task of the application may only look whether a future is done.
    for (Object fed : objects.from(List.of(root), type -> KnownLibraries.has(type.getName()))) {
      periodic.add(fed);
      found.merge(fed, time, Math::min);
    }
  }

  /** Returns the JDK's own task, to which the task of an executor that wraps them refers. */
  private static Object unwrapped(Object task) {
    if (task instanceof FutureTask<?>) {
      return task;
    }
    return REFERENCES.get(task.getClass()).stream()
        .map(field -> field.value(task))
        .filter(FutureTask.class::isInstance)
        .findFirst()
        .orElse(task);
  }

  /** Returns the queues of the schedulers that have a thread. */
  private Set<Object> queues() {
    Set<Object> queues = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Thread thread : ThreadSnapshots.platformThreads()) {
      Object queue = fields.queue.value(fields.pool.value(objects.task(thread)));
      if (queue != null) {
        queues.add(queue);
      }
    }
    return queues;
  }
}
