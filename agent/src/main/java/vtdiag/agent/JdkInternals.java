package vtdiag.agent;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import jdk.jfr.FlightRecorder;

/**
 * The four places where the agent reaches into JDK internals, because there is no API. Each may
 * fail, which costs a feature, never the agent.
 */
final class JdkInternals {
  private JdkInternals() {}

  /** Opens a package to the agent, as {@code --add-opens} would. */
  private static void open(Instrumentation instrumentation, Module module, String name) {
    Module agent = JdkInternals.class.getModule();
    if (!module.isOpen(name, agent)) {
      instrumentation.redefineModule(
          module, Set.of(), Map.of(), Map.of(name, Set.of(agent)), Set.of(), Map.of());
    }
  }

  /** Opens {@code java.lang}, for {@code LiveStackFrame} and the shutdown hooks. */
  static void openJavaLang(Instrumentation instrumentation) {
    open(instrumentation, Object.class.getModule(), "java.lang");
  }

  /**
   * The scheduler of virtual threads. Asking creates it, and it reads its properties then, so ask
   * only once the application has created a virtual thread.
   */
  static Optional<ForkJoinPool> scheduler(Instrumentation instrumentation)
      throws ReflectiveOperationException {
    openJavaLang(instrumentation);
    Field field = Class.forName("java.lang.VirtualThread").getDeclaredField("DEFAULT_SCHEDULER");
    field.setAccessible(true);
    return field.get(null) instanceof ForkJoinPool pool ? Optional.of(pool) : Optional.empty();
  }

  /**
   * Makes JFR record stacks at least this deep, which works only before JFR starts: later, threads
   * have buffers for the old depth. The documented way, the {@code jfrConfigure} operation of the
   * diagnostic command bean, starts all of JMX for it.
   *
   * @return the depth in force: a deeper one that was asked for on the command line stays, as does
   *     a lower one if JFR runs already
   */
  static int raiseStackDepth(Instrumentation instrumentation, int depth)
      throws ReflectiveOperationException {
    open(
        instrumentation,
        ModuleLayer.boot().findModule("jdk.jfr").orElseThrow(),
        "jdk.jfr.internal");
    Class<?> options = Class.forName("jdk.jfr.internal.Options");
    int current = (int) options.getMethod("getStackDepth").invoke(null);
    if (depth > current && !FlightRecorder.isInitialized()) {
      options.getMethod("setStackDepth", Integer.class).invoke(null, depth);
      return depth;
    }
    return current;
  }

  /**
   * Takes JFR's shutdown hook out of the JVM's list. JFR's hook ends every recording while other
   * hooks run; the agent must run it last.
   *
   * @return what the hook does, which the caller must do at exit; empty if it was not found
   */
  static Optional<Runnable> takeOverJfrShutdownHook(Instrumentation instrumentation)
      throws ReflectiveOperationException {
    openJavaLang(instrumentation);
    Class<?> hooksClass = Class.forName("java.lang.ApplicationShutdownHooks");
    Field field = hooksClass.getDeclaredField("hooks");
    field.setAccessible(true);
    // The lock that the JDK's class itself takes around the map.
    synchronized (hooksClass) {
      if (field.get(null) instanceof Map<?, ?> hooks) {
        for (Object hook : hooks.keySet()) {
          if (hook instanceof Thread thread
              && thread.getName().equals("JFR Shutdown Hook")
              && Runtime.getRuntime().removeShutdownHook(thread)) {
            return Optional.of(thread);
          }
        }
      }
    }
    return Optional.empty();
  }
}
