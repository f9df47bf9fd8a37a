package io.github.vtdiag.agent.threads;

import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/**
 * The threads that others wait for, where the JDK knows them: the one that is joined, the one that
 * runs a task, those of an executor or a scope that is closed or joined.
 */
final class Doers {
  private static final String VIRTUAL = "java.lang.VirtualThread";
  private static final String EXECUTOR = "java.util.concurrent.ThreadPerTaskExecutor";
  private static final String FLOCK = "jdk.internal.misc.ThreadFlock";

  private final ThreadInternals internals;
  private final ThreadMXBean times = ManagementFactory.getThreadMXBean();

  /** Empty on a JDK that keeps them elsewhere: then these threads are not known. */
  private final Optional<Field> runner;

  private final Optional<Field> termination;
  private final Optional<Field> terminationSignal;
  private final Optional<Field> sync;

  /** Who ends before the latch is counted down that consists of this. */
  private final Map<Object, Set<Thread>> ofLatches = new HashMap<>();

  /** The threads in what a thread has opened. */
  private final Map<Long, Set<Thread>> ofOwners = new HashMap<>();

  /** What platform threads had used of a processor when they were asked for last. */
  private final Map<Thread, Long> used = new HashMap<>();

  private boolean looked;

  Doers(Instrumentation instrumentation, ThreadInternals internals) {
    this.internals = internals;
    ThreadInternals.open(instrumentation, "java.lang", "java.util.concurrent");
    this.runner = field(FutureTask.class.getName(), "runner");
    this.termination = field(VIRTUAL, "termination");
    this.terminationSignal = field(EXECUTOR, "terminationSignal");
    this.sync = field(CountDownLatch.class.getName(), "sync");
  }

  private static Optional<Field> field(String type, String name) {
    try {
      Field field = Class.forName(type).getDeclaredField(name);
      field.setAccessible(true);
      return Optional.of(field);
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }

  private static Object value(Optional<Field> field, Object object) {
    try {
      return field.isEmpty() || object == null ? null : field.get().get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Forgets what was seen of an earlier look. */
  void begin() {
    looked = false;
    ofLatches.clear();
    ofOwners.clear();
    used.keySet().removeIf(thread -> !thread.isAlive());
  }

  /**
   * Those that a thread waits for; none if they are not known.
   *
   * @param virtual all virtual threads that are followed
   */
  Set<Thread> of(Thread waiting, Object lock, List<StackTraceElement> stack, Set<Thread> virtual) {
    if (lock instanceof FutureTask<?>) {
      return value(runner, lock) instanceof Thread thread ? Set.of(thread) : Set.of();
    }
    if (!isCall(stack, VIRTUAL) && !isCall(stack, EXECUTOR) && !isCall(stack, FLOCK)) {
      return Set.of();
    }
    if (!looked) {
      look(virtual);
    }
    return lock == null
        ? ofOwners.getOrDefault(waiting.threadId(), Set.of())
        : ofLatches.getOrDefault(lock, Set.of());
  }

  private static boolean isCall(List<StackTraceElement> stack, String type) {
    // Each virtual thread begins in that class, too.
    return stack.stream()
        .takeWhile(frame -> !frame.getMethodName().equals("run"))
        .anyMatch(
            frame ->
                frame.getClassName().equals(type)
                    && (frame.getMethodName().startsWith("await")
                        || frame.getMethodName().startsWith("join")));
  }

  private void look(Set<Thread> virtual) {
    looked = true;
    for (Thread thread : virtual) {
      addLatch(value(termination, thread), Set.of(thread));
    }
    internals.each(
        container -> {
          Set<Thread> members = new HashSet<>();
          container.each(members::add);
          if (container.object().getClass().getName().equals(EXECUTOR)) {
            addLatch(value(terminationSignal, container.object()), members);
          }
          container
              .owner()
              .ifPresent(
                  owner -> ofOwners.computeIfAbsent(owner, id -> new HashSet<>()).addAll(members));
        });
  }

  private void addLatch(Object latch, Set<Thread> threads) {
    Object key = value(sync, latch);
    if (key != null) {
      ofLatches.put(key, threads);
    }
  }

  /**
   * Whether a platform thread has run since this was asked last, as far as that is seen: it has
   * used a processor.
   */
  boolean hasRun(Thread platform) {
    long now = times.getThreadCpuTime(platform.threadId());
    Long before = used.put(platform, now);
    return before != null && now > before;
  }
}
