package io.github.vtdiag.agent.threads;

import io.github.vtdiag.agent.jvm.JdkInternals;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds the latches and futures that a shutdown hook can end: threads that wait for one of these
 * wait for the end of the program.
 */
final class ShutdownHooks {
  private final AwaitedObjects objects = new AwaitedObjects();
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
    List<Object> roots = new ArrayList<>();
    for (Thread hook : hooks()) {
      roots.add(hook);
      Object task = objects.task(hook);
      if (task != null) {
        roots.add(task);
      }
    }
    return objects.from(roots);
  }

  /** Returns none on a JDK that keeps them elsewhere: then no hook is known. */
  private static List<Thread> hooks() {
    try {
      return JdkInternals.shutdownHooks();
    } catch (ReflectiveOperationException e) {
      return List.of();
    }
  }
}
