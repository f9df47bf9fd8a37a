package io.github.vtdiag.agent.threads;

import io.github.vtdiag.model.Frame;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Finds threads that a limiter of rates lets wait for much longer than a request may take. They
 * sleep or park until a time that the JDK knows. A job that sleeps until tomorrow does so, too, but
 * asks nobody for a permit.
 */
final class Limiters {
  /** The shortest time until such a wait ends by itself; shorter ones are only slow. */
  private static final long FAR_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** The number of frames of the application and of libraries among which the limiter is. */
  private static final int FRAMES = 4;

  /** The parts of the names of classes that limit how often others do something. */
  private static final List<String> NAMES = List.of("limiter", "throttl", "bucket");

  private static final String VIRTUAL = "java.lang.VirtualThread";

  /** The time that a thread is to wait, from the begin of its wait; from Java 24 on. */
  private final ReflectedField timeout = ReflectedField.of(VIRTUAL, "timeout");

  /** The scheduler that ends the waits of virtual threads, before that. */
  private final ReflectedField unparker = ReflectedField.of(VIRTUAL, "UNPARKER");

  private final TimerTasks.Fields fields = TimerTasks.Fields.read();
  private final Map<Class<?>, ReflectedField> threads = new HashMap<>();
  private final Seldom<Map<Thread, Long>> ends = new Seldom<>(this::look);

  /**
   * Returns in how many nanoseconds the first of these threads goes on; empty if no limiter lets
   * them wait, the time is not known or they go on soon.
   */
  OptionalLong end(WaitGroup group) {
    if (group.state() != Thread.State.TIMED_WAITING
        || group.members().isEmpty()
        || !isLimited(LoopTargets.written(group.stack()))) {
      return OptionalLong.empty();
    }
    long first = Long.MAX_VALUE;
    for (Thread thread : group.members()) {
      OptionalLong end = end(thread, group.longestNanos());
      if (end.isEmpty() || end.getAsLong() < FAR_NANOS) {
        return OptionalLong.empty();
      }
      first = Math.min(first, end.getAsLong());
    }
    return OptionalLong.of(first);
  }

  /** Returns whether a limiter is among the inner frames, and another class called it. */
  private static boolean isLimited(List<Frame> written) {
    return written.stream().limit(FRAMES).anyMatch(Limiters::isOfLimiter)
        && !isOfLimiter(written.getLast());
  }

  private static boolean isOfLimiter(Frame frame) {
    String name = frame.type().name();
    String simple =
        name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1)
            .toLowerCase(Locale.ROOT);
    return NAMES.stream().anyMatch(simple::contains);
  }

  private OptionalLong end(Thread thread, long waitedNanos) {
    if (timeout.value(thread) instanceof Long nanos) {
      return nanos == 0 ? OptionalLong.empty() : OptionalLong.of(nanos - waitedNanos);
    }
    Long at = ends.get().get(thread);
    return at == null ? OptionalLong.empty() : OptionalLong.of(at - System.nanoTime());
  }

  /** Returns when the scheduler lets each thread go on. No lock is taken for that. */
  private Map<Thread, Long> look() {
    Map<Thread, Long> found = new HashMap<>();
    Object queue = fields.queue().value(unparker.ofClass());
    if (fields.tasks().value(queue) instanceof Object[] tasks) {
      for (Object task : tasks) {
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
    return threads.computeIfAbsent(task.getClass(), Limiters::fieldOfThread).value(task);
  }

  private static ReflectedField fieldOfThread(Class<?> task) {
    return List.of(task.getDeclaredFields()).stream()
        .filter(field -> Thread.class.isAssignableFrom(field.getType()))
        .findFirst()
        .map(ReflectedField::of)
        .orElse(ReflectedField.NONE);
  }
}
