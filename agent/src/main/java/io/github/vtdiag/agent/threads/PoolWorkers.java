package io.github.vtdiag.agent.threads;

import java.lang.reflect.Field;
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
final class PoolWorkers {
  private static final String WORKER = "java.util.concurrent.ThreadPoolExecutor$Worker";

  /** Empty on a JDK that keeps them elsewhere: then no pool is known. */
  private final Optional<Field> continuation = field("java.lang.VirtualThread", "cont");

  private final Optional<Field> target = field("jdk.internal.vm.Continuation", "target");
  private final Optional<Field> pool = field(WORKER, "this$0");
  private final Optional<Field> thread = field(WORKER, "thread");
  private final Optional<Field> workers = field(ThreadPoolExecutor.class.getName(), "workers");
  private final Optional<Field> lock = field(ThreadPoolExecutor.class.getName(), "mainLock");
  private final Optional<Field> end = field(ThreadPoolExecutor.class.getName(), "termination");

  /** The field of the task, by the class of what a continuation runs. */
  private final Map<Class<?>, Optional<Field>> tasks = new HashMap<>();

  /**
   * A pool.
   *
   * @param termination the object for which threads are parked that wait for the end of the pool
   * @param workers its threads
   * @param isOpen whether nobody has shut it down
   */
  record Pool(Object termination, Set<Thread> workers, boolean isOpen) {}

  /** Returns the pools of these threads. */
  Collection<Pool> of(Set<Thread> virtual) {
    Map<ThreadPoolExecutor, Pool> pools = new HashMap<>();
    for (Thread each : virtual) {
      Object task = task(value(target, value(continuation, each)));
      if (task != null
          && task.getClass().getName().equals(WORKER)
          && value(pool, task) instanceof ThreadPoolExecutor executor
          && !pools.containsKey(executor)) {
        pools.put(
            executor, new Pool(value(end, executor), workers(executor), !executor.isShutdown()));
      }
    }
    return pools.values();
  }

  private Object task(Object run) {
    return run == null
        ? null
        : value(tasks.computeIfAbsent(run.getClass(), PoolWorkers::taskField), run);
  }

  private static Optional<Field> taskField(Class<?> type) {
    return type.getName().startsWith("java.lang.VirtualThread")
        ? Arrays.stream(type.getDeclaredFields())
            .filter(field -> field.getType() == Runnable.class)
            .filter(Field::trySetAccessible)
            .findFirst()
        : Optional.empty();
  }

  /** Returns none if the pool changes at this moment. */
  private Set<Thread> workers(ThreadPoolExecutor executor) {
    Set<Thread> all = new HashSet<>();
    if (value(lock, executor) instanceof ReentrantLock own && own.tryLock()) {
      try {
        if (value(workers, executor) instanceof Collection<?> each) {
          each.forEach(
              worker -> {
                if (value(thread, worker) instanceof Thread known) {
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

  private static Optional<Field> field(String type, String name) {
    try {
      Field field = Class.forName(type).getDeclaredField(name);
      return field.trySetAccessible() ? Optional.of(field) : Optional.empty();
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
}
