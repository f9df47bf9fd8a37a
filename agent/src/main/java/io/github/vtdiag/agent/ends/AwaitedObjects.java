package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.ReflectedField;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/**
 * Finds the latches and futures to which objects refer, and the ends of running services. It
 * follows the references through objects of the application, and through what the JDK does for a
 * future.
 */
public final class AwaitedObjects {
  /** The number of objects that are visited. */
  private static final int MOST = 1_000;

  /** Guava's services: threads wait for the end of one at a condition. */
  private static final String SERVICE = "com.google.common.util.concurrent.AbstractService";

  private static final String OF_FUTURE = CompletableFuture.class.getName() + "$";

  private final ReflectedField holder = ReflectedField.of("java.lang.Thread", "holder");
  private final ReflectedField task = ReflectedField.of("java.lang.Thread$FieldHolder", "task");
  private final ReflectedField sync = ReflectedField.of(CountDownLatch.class.getName(), "sync");
  private final FutureWaiters waiters = new FutureWaiters();

  /** Returns the task of a platform thread; null if it has none. */
  public Object task(Thread thread) {
    return task.value(holder.value(thread));
  }

  /** Returns what threads are parked for that wait for one of these, in a set by identity. */
  public Set<Object> from(Collection<?> roots) {
    return from(roots, type -> true);
  }

  /**
   * The same through objects of certain classes only.
   *
   * @param follows tells whether objects of that class are followed
   */
  public Set<Object> from(Collection<?> roots, Predicate<Class<?>> follows) {
    Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> open = new ArrayDeque<>(roots);
    while (!open.isEmpty() && seen.size() < MOST) {
      Object each = open.remove();
      if (!seen.add(each)) {
        continue;
      }
      if (each instanceof CountDownLatch latch) {
        add(sync.value(latch), found);
      } else if (each instanceof CompletableFuture<?> future) {
        waiters.addTo(found, future);
      } else if (follows.test(each.getClass())) {
        addEndOfService(each, found);
        addFields(each, open);
      }
    }
    return found;
  }

  private static void add(Object object, Collection<Object> all) {
    if (object != null) {
      all.add(object);
    }
  }

  /**
   * Adds the condition at which threads await the end of a service, if it runs. Whoever refers to
   * one that was stopped before, or never started, cannot end it.
   */
  private static void addEndOfService(Object object, Collection<Object> all) {
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      if (type.getName().equals(SERVICE)
          && value(value(object, "snapshot"), "state") instanceof Enum<?> state
          && state.name().equals("RUNNING")) {
        add(value(value(object, "isStopped"), "condition"), all);
      }
    }
  }

  /** Returns the value of the field of that name; null if there is none. */
  public static Object value(Object object, String name) {
    for (Class<?> type = object == null ? null : object.getClass();
        type != null;
        type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          return ReflectedField.of(field).value(object);
        }
      }
    }
    return null;
  }

  /** Adds what an object of the application, or a part of a future, refers to. */
  private static void addFields(Object object, Deque<Object> open) {
    for (Class<?> type = object.getClass();
        type != null
            && (type.getName().startsWith(OF_FUTURE) || !type.getName().startsWith("java."));
        type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers())) {
          add(ReflectedField.of(field).value(object), open);
        }
      }
    }
  }
}
