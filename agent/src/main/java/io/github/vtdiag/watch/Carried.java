package io.github.vtdiag.watch;

import io.github.vtdiag.model.Article;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * The virtual thread that is mounted on a carrier. There is no public API for it: the carrier has
 * the continuation that runs on it, whose task has the thread.
 */
public final class Carried {
  private final Field continuation;
  private final Field task;
  private volatile Field thread;

  /** The packages {@code java.lang} and {@code jdk.internal.vm} must be open. */
  public Carried() throws ReflectiveOperationException {
    continuation = Thread.class.getDeclaredField("cont");
    continuation.setAccessible(true);
    task = Class.forName("jdk.internal.vm.Continuation").getDeclaredField("target");
    task.setAccessible(true);
  }

  /**
   * Returns the continuation on the carrier, the same object as long as its thread lives; null if
   * there is none.
   */
  Object continuation(Thread carrier) throws ReflectiveOperationException {
    return continuation.get(carrier);
  }

  /** Returns whether a virtual thread is mounted on the carrier now. */
  public boolean isCarrying(Thread carrier) throws ReflectiveOperationException {
    return continuation.get(carrier) != null;
  }

  /** Returns the virtual thread of a continuation. */
  Thread thread(Object of) throws ReflectiveOperationException {
    Object run = task.get(of);
    if (run == null) {
      throw new NoSuchFieldException("a continuation without a task");
    }
    Field captured = thread;
    if (captured == null || captured.getDeclaringClass() != run.getClass()) {
      captured = captured(run.getClass());
      thread = captured;
    }
    return (Thread) captured.get(run);
  }

  private static Field captured(Class<?> type) throws ReflectiveOperationException {
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())
          && Thread.class.isAssignableFrom(field.getType())) {
        field.setAccessible(true);
        return field;
      }
    }
    throw new NoSuchFieldException("the thread of " + Article.with(type.getName()));
  }
}
