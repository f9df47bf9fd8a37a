package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.jvm.JdkInternals;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Finds the latches and futures that a shutdown hook can end: threads that wait for one of these
 * wait for the end of the program.
 */
public final class ShutdownHooks {
  private final AwaitedObjects objects = new AwaitedObjects();
  private final Supplier<List<Thread>> hooks;
  private final Seldom<Set<Object>> ended = new Seldom<>(this::look);

  /** The things that hooks could end at the last look before the exit began. */
  private Set<Object> before = Set.of();

  public ShutdownHooks() {
    this(ShutdownHooks::hooks);
  }

  /**
   * @param hooks returns the hooks; none once the exit has begun
   */
  public ShutdownHooks(Supplier<List<Thread>> hooks) {
    this.hooks = hooks;
  }

  /**
   * Returns whether a hook can end the wait.
   *
   * @param blocker what the thread is parked for; may be null
   */
  public boolean end(Object blocker) {
    return blocker != null && ended.get().contains(blocker);
  }

  /** The JDK drops its list when the exit begins, while the hooks have not done their work yet. */
  Set<Object> look() {
    List<Object> roots = new ArrayList<>();
    for (Thread hook : hooks.get()) {
      roots.add(hook);
      Object task = objects.task(hook);
      if (task != null) {
        roots.add(task);
      }
    }
    if (!roots.isEmpty()) {
      before = objects.from(roots);
    }
    return before;
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
