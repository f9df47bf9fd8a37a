package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.ReflectedField;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.ReentrantLock;

/** The pools in which virtual threads work. Only the task of such a thread refers to its pool. */
public final class PoolWorkers {
  private static final String WORKER = "java.util.concurrent.ThreadPoolExecutor$Worker";

  /** Without a value on a JDK that keeps them elsewhere: then no pool is known. */
  private final ReflectedField continuation = ReflectedField.of("java.lang.VirtualThread", "cont");

  private final ReflectedField target = ReflectedField.of("jdk.internal.vm.Continuation", "target");
  private final ReflectedField pool = ReflectedField.of(WORKER, "this$0");
  private final ReflectedField thread = ReflectedField.of(WORKER, "thread");
  private final ReflectedField workers =
      ReflectedField.of(ThreadPoolExecutor.class.getName(), "workers");
  private final ReflectedField lock =
      ReflectedField.of(ThreadPoolExecutor.class.getName(), "mainLock");
  private final ReflectedField end =
      ReflectedField.of(ThreadPoolExecutor.class.getName(), "termination");

  /** The field of the task, by the class of what a continuation runs. */
  private final Map<Class<?>, Optional<ReflectedField>> tasks = new HashMap<>();

  /**
   * A pool.
   *
   * @param termination the object for which threads are parked that wait for the end of the pool
   * @param workers its threads
   * @param isOpen whether nobody has shut it down
   */
  public record Pool(Object termination, Set<Thread> workers, boolean isOpen) {}

  /** Returns the pools of these threads. */
  public Collection<Pool> of(Set<Thread> virtual) {
    Map<ThreadPoolExecutor, Pool> pools = new HashMap<>();
    for (Thread each : virtual) {
      Object task = task(target.value(continuation.value(each)));
      if (task != null
          && task.getClass().getName().equals(WORKER)
          && pool.value(task) instanceof ThreadPoolExecutor executor
          && !pools.containsKey(executor)) {
        pools.put(
            executor, new Pool(end.value(executor), workers(executor), !executor.isShutdown()));
      }
    }
    return pools.values();
  }

  private Object task(Object run) {
    return run == null
        ? null
        : tasks
            .computeIfAbsent(run.getClass(), PoolWorkers::taskField)
            .map(field -> field.value(run))
            .orElse(null);
  }

  private static Optional<ReflectedField> taskField(Class<?> type) {
    return type.getName().startsWith("java.lang.VirtualThread")
        ? Arrays.stream(type.getDeclaredFields())
            .filter(field -> field.getType() == Runnable.class)
            .findFirst()
            .map(ReflectedField::of)
        : Optional.empty();
  }

  /** Returns none if the pool changes at this moment. */
  private Set<Thread> workers(ThreadPoolExecutor executor) {
    Set<Thread> all = new HashSet<>();
    if (lock.value(executor) instanceof ReentrantLock own && own.tryLock()) {
      try {
        if (workers.value(executor) instanceof Collection<?> each) {
          each.forEach(
              worker -> {
                if (thread.value(worker) instanceof Thread known) {
                  all.add(known);
                }
              });
        }
      } finally {
        own.unlock();
      }
    }
    return all;
  }
}
