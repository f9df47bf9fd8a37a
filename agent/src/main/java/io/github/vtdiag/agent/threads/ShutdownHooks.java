package io.github.vtdiag.agent.threads;

import io.github.vtdiag.agent.jvm.JdkInternals;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * Finds the latches and futures that a shutdown hook can end: threads that wait for one of these
 * wait for the end of the program. It follows the references of the hooks through objects of the
 * application.
 */
final class ShutdownHooks {
  /** The number of objects that are visited. */
  private static final int MOST = 1_000;

  private final ReflectedField holder = ReflectedField.of("java.lang.Thread", "holder");
  private final ReflectedField task = ReflectedField.of("java.lang.Thread$FieldHolder", "task");
  private final ReflectedField sync = ReflectedField.of(CountDownLatch.class.getName(), "sync");
  private final FutureWaiters waiters = new FutureWaiters();

  private final Seldom<Set<Object>> ended = new Seldom<>(this::look);

  /**
   * Returns whether a hook can end the wait.
   *
   * @param blocker what the thread is parked for; may be null
   */
  boolean end(Object blocker) {
    return blocker != null && ended.get().contains(blocker);
  }

  private Set<Object> look() {
    Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> open = new ArrayDeque<>();
    for (Thread hook : hooks()) {
      open.add(hook);
      add(task.value(holder.value(hook)), open);
    }
    while (!open.isEmpty() && seen.size() < MOST) {
      Object each = open.remove();
      if (!seen.add(each)) {
        continue;
      }
      if (each instanceof CountDownLatch latch) {
        add(sync.value(latch), found);
      } else if (each instanceof CompletableFuture<?> future) {
        waiters.addTo(found, future);
      } else {
        addFields(each, open);
      }
    }
    return found;
  }

  /** Returns none on a JDK that keeps them elsewhere: then no hook is known. */
  private static List<Thread> hooks() {
    try {
      return JdkInternals.shutdownHooks();
    } catch (ReflectiveOperationException e) {
      return List.of();
    }
  }

  private static void add(Object object, Collection<Object> all) {
    if (object != null) {
      all.add(object);
    }
  }

  /** Adds what an object of the application refers to; those of the JDK are not followed. */
  private static void addFields(Object object, Deque<Object> open) {
    for (Class<?> type = object.getClass();
        type != null && !type.getName().startsWith("java.");
        type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers())) {
          add(ReflectedField.of(field).value(object), open);
        }
      }
    }
  }
}
