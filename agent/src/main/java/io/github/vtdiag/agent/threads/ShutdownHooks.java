package io.github.vtdiag.agent.threads;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Finds the latches and futures that a shutdown hook can end: threads that wait for one of these
 * wait for the end of the program. It follows the references of the hooks through objects of the
 * application.
 */
final class ShutdownHooks {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The number of objects that are visited. */
  private static final int MOST = 1_000;

  /** The number of waiting threads of one future that are compared. */
  private static final int WAITING = 10_000;

  /** Empty on a JDK that keeps them elsewhere: then no hook is known. */
  private final Optional<Field> hooks = field("java.lang.ApplicationShutdownHooks", "hooks");

  private final Optional<Field> holder = field("java.lang.Thread", "holder");
  private final Optional<Field> task = field("java.lang.Thread$FieldHolder", "task");
  private final Optional<Field> sync = field(CountDownLatch.class.getName(), "sync");
  private final Optional<Field> stack = field(CompletableFuture.class.getName(), "stack");
  private final Optional<Field> next =
      field("java.util.concurrent.CompletableFuture$Completion", "next");

  private Set<Object> ended = Set.of();
  private long lookedNanos;
  private boolean looked;

  /**
   * Returns whether a hook can end the wait.
   *
   * @param blocker what the thread is parked for; may be null
   */
  boolean end(Object blocker) {
    if (blocker == null) {
      return false;
    }
    long now = System.nanoTime();
    if (!looked || now - lookedNanos >= PERIOD_NANOS) {
      looked = true;
      lookedNanos = now;
      ended = look();
    }
    return ended.contains(blocker);
  }

  private Set<Object> look() {
    Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> open = new ArrayDeque<>();
    if (value(hooks, null) instanceof Map<?, ?> all) {
      for (Object hook : all.keySet().toArray()) {
        open.add(hook);
        Object run = value(task, value(holder, hook));
        if (run != null) {
          open.add(run);
        }
      }
    }
    while (!open.isEmpty() && seen.size() < MOST) {
      Object each = open.remove();
      if (!seen.add(each)) {
        continue;
      }
      if (each instanceof CountDownLatch latch) {
        add(value(sync, latch), found);
      } else if (each instanceof CompletableFuture<?> future) {
        Object waiting = value(stack, future);
        for (int i = 0; waiting != null && i < WAITING; i++) {
          found.add(waiting);
          waiting = value(next, waiting);
        }
      } else {
        addFields(each, open);
      }
    }
    return found;
  }

  private static void add(Object object, Set<Object> all) {
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
        if (!field.getType().isPrimitive()
            && !Modifier.isStatic(field.getModifiers())
            && field.trySetAccessible()) {
          Object next = value(Optional.of(field), object);
          if (next != null) {
            open.add(next);
          }
        }
      }
    }
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
      boolean isThere =
          field.isPresent() && (object != null || Modifier.isStatic(field.get().getModifiers()));
      return isThere ? field.get().get(object) : null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
