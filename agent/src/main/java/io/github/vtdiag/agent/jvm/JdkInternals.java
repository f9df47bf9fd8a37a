package io.github.vtdiag.agent.jvm;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import jdk.jfr.FlightRecorder;

/**
 * The places where the agent reaches into JDK internals, because there is no API. Each may fail,
 * which costs a feature, never the agent.
 */
public final class JdkInternals {
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
  public static void openJavaLang(Instrumentation instrumentation) {
    open(instrumentation, Object.class.getModule(), "java.lang");
  }

  /** Opens the packages with the mounted thread of a carrier, and with the owner of a lock. */
  public static void openCarriers(Instrumentation instrumentation) {
    openJavaLang(instrumentation);
    Module base = Object.class.getModule();
    open(instrumentation, base, "jdk.internal.vm");
    open(instrumentation, base, "jdk.internal.misc");
    open(instrumentation, base, "java.util.concurrent.locks");
  }

  /** Returns the JVM's properties of its agents, which exist from the start. */
  static Properties agentProperties(Instrumentation instrumentation)
      throws ReflectiveOperationException {
    open(instrumentation, Object.class.getModule(), "jdk.internal.vm");
    return (Properties)
        Class.forName("jdk.internal.vm.VMSupport").getMethod("getAgentProperties").invoke(null);
  }

  /** Returns all loaded classes; none once the JVM has ended, because it lists none then. */
  public static List<Class<?>> loadedClasses(Instrumentation instrumentation) {
    Class<?>[] classes = instrumentation.getAllLoadedClasses();
    return classes == null ? List.of() : Arrays.asList(classes);
  }

  /** Returns whether a class is initialized; true if that is unknown. */
  public static boolean isInitialized(Class<?> type) {
    try {
      Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe");
      Object instance = unsafe.getMethod("getUnsafe").invoke(null);
      return !(boolean) unsafe.getMethod("shouldBeInitialized", Class.class).invoke(instance, type);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return true;
    }
  }

  /**
   * Makes JFR record stacks at least this deep. That works only before JFR starts: later, threads
   * have buffers for the old depth. The documented way, the {@code jfrConfigure} operation of the
   * diagnostic command bean, starts all of JMX.
   *
   * @return the depth in force: a deeper one from the command line stays, as does a lower one if
   *     JFR runs already
   */
  public static int raiseStackDepth(Instrumentation instrumentation, int depth)
      throws ReflectiveOperationException {
    openJfr(instrumentation);
    Class<?> options = Class.forName("jdk.jfr.internal.Options");
    int current = (int) options.getMethod("getStackDepth").invoke(null);
    if (depth > current && !FlightRecorder.isInitialized()) {
      options.getMethod("setStackDepth", Integer.class).invoke(null, depth);
      return depth;
    }
    return current;
  }

  private static void openJfr(Instrumentation instrumentation) {
    open(
        instrumentation,
        ModuleLayer.boot().findModule("jdk.jfr").orElseThrow(),
        "jdk.jfr.internal");
  }

  /**
   * Makes JFR keep its data below this folder until they are written; only before JFR starts. There
   * is no property for it, and the option is one of the command line.
   */
  public static void setRepository(Instrumentation instrumentation, Path folder)
      throws ReflectiveOperationException {
    openJfr(instrumentation);
    Class<?> repository = Class.forName("jdk.jfr.internal.Repository");
    Object instance = repository.getMethod("getRepository").invoke(null);
    for (Method method : repository.getMethods()) {
      if (method.getName().equals("setBasePath")) {
        Class<?> type = method.getParameterTypes()[0];
        // Up to JDK 23 it is wrapped in a class of JFR's own.
        method.invoke(
            instance,
            type == Path.class ? folder : type.getConstructor(Path.class).newInstance(folder));
        return;
      }
    }
    throw new NoSuchMethodException("setBasePath");
  }

  /**
   * Takes JFR's shutdown hook out of the JVM's list. JFR's hook ends every recording while other
   * hooks run; the agent must run it last.
   *
   * @return the hook's work, which the caller must do at exit; empty if it was not found
   * @throws IllegalStateException if the program ends already, as the JDK has it
   */
  public static Optional<Runnable> takeOverJfrShutdownHook(Instrumentation instrumentation)
      throws ReflectiveOperationException {
    openJavaLang(instrumentation);
    for (Thread hook : shutdownHooks()) {
      if (hook.getName().equals("JFR Shutdown Hook")
          && Runtime.getRuntime().removeShutdownHook(hook)) {
        return Optional.of(hook);
      }
    }
    if (hooksField().get(null) == null) {
      throw new IllegalStateException("Shutdown in progress");
    }
    return Optional.empty();
  }

  /** Returns the application's shutdown hooks. The package {@code java.lang} must be open. */
  public static List<Thread> shutdownHooks() throws ReflectiveOperationException {
    List<Thread> all = new ArrayList<>();
    // The lock that the JDK's class itself takes around the map.
    synchronized (hooksClass()) {
      for (Object hook : shutdownHookMap().keySet()) {
        if (hook instanceof Thread thread) {
          all.add(thread);
        }
      }
    }
    return all;
  }

  /**
   * Returns the JDK's own map, whose keys are the application's shutdown hooks; empty once the
   * program exits.
   */
  public static Map<?, ?> shutdownHookMap() throws ReflectiveOperationException {
    return hooksField().get(null) instanceof Map<?, ?> hooks ? hooks : Map.of();
  }

  private static Field hooksField() throws ReflectiveOperationException {
    Field field = hooksClass().getDeclaredField("hooks");
    field.setAccessible(true);
    return field;
  }

  private static Class<?> hooksClass() throws ReflectiveOperationException {
    return Class.forName("java.lang.ApplicationShutdownHooks");
  }
}
