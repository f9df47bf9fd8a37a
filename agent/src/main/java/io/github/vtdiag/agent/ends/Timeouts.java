package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.ReflectedField;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The times after which waits of virtual threads end by themselves, as far as the JDK shows. */
public final class Timeouts {
  /** A timeout of a year and more is none: {@code parkNanos(Long.MAX_VALUE)} waits for ever. */
  private static final long YEAR_NANOS = TimeUnit.DAYS.toNanos(365);

  /** The number of threads at one place, and of tasks of the JDK's timer, that are examined. */
  private static final int MOST = 50_000;

  private static final String VIRTUAL = "java.lang.VirtualThread";

  /** The time that a thread is to wait, from the begin of its wait; from Java 24 on. */
  private final ReflectedField timeout = ReflectedField.of(VIRTUAL, "timeout");

  /** The scheduler that ends the waits of virtual threads, before that. */
  private final ReflectedField unparker = ReflectedField.of(VIRTUAL, "UNPARKER");

  private final TimerTasks.Fields fields = TimerTasks.Fields.read();
  private final Map<Class<?>, ReflectedField> threads = new HashMap<>();
  private final Seldom<Map<Thread, Long>> ends = new Seldom<>(this::look);

  /**
   * Returns in how many nanoseconds a thread goes on; empty if it has no timeout, or it is unknown.
   *
   * @param waitedNanos how long it has waited
   */
  OptionalLong left(Thread thread, long waitedNanos) {
    if (timeout.value(thread) instanceof Long nanos) {
      return nanos == 0 ? OptionalLong.empty() : OptionalLong.of(nanos - waitedNanos);
    }
    Long at = ends.get().get(thread);
    return at == null ? OptionalLong.empty() : OptionalLong.of(at - System.nanoTime());
  }

  /**
   * Returns the same threads without a timeout if theirs never ends. A thread that sleeps for ever
   * waits for nobody.
   */
  public WaitGroup withoutEndless(WaitGroup group) {
    return group.state() == Thread.State.TIMED_WAITING
            && !group.members().isEmpty()
            && !WaitGroup.isAsleep(group.stack())
            && group.members().stream()
                .limit(MOST)
                .allMatch(thread -> left(thread, group.longestNanos()).orElse(0) >= YEAR_NANOS)
        ? group.untimed()
        : group;
  }

  /** Returns when the scheduler lets each thread go on. No lock is taken for that. */
  private Map<Thread, Long> look() {
    Map<Thread, Long> found = new HashMap<>();
    Object queue = fields.queue().value(unparker.ofClass());
    if (fields.tasks().value(queue) instanceof Object[] tasks) {
      for (Object task : Stream.of(tasks).limit(MOST).toList()) {
        Object runnable = fields.runnable().value(fields.callable().value(task));
        if (runnable != null
            && fields.time().value(task) instanceof Long time
            && threadOf(runnable) instanceof Thread thread) {
          found.merge(thread, time, Math::max);
        }
      }
    }
    return found;
  }

  /** Returns the thread to which a task refers that unparks it; null if it is another task. */
  private Object threadOf(Object task) {
    return threads.computeIfAbsent(task.getClass(), Timeouts::fieldOfThread).value(task);
  }

  private static ReflectedField fieldOfThread(Class<?> task) {
    return List.of(task.getDeclaredFields()).stream()
        .filter(field -> Thread.class.isAssignableFrom(field.getType()))
        .findFirst()
        .map(ReflectedField::of)
        .orElse(ReflectedField.NONE);
  }
}
