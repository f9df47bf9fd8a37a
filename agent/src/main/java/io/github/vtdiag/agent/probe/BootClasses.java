package io.github.vtdiag.agent.probe;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;

/**
 * Defines classes in the bootstrap loader, where the JDK's code and code of any class loader can
 * call them. Such a class is the same for all if it is defined before any code of the agent links
 * it. No file has to be written. This takes {@code jdk.internal.misc.Unsafe}, because the one in
 * {@code sun.misc} makes newer Java print warnings.
 */
final class BootClasses {
  private BootClasses() {}

  /** Returns the bytes of a class of the agent. */
  static byte[] read(String name) throws IOException {
    String file = name.replace('.', '/') + ".class";
    return read(BootClasses.class.getClassLoader().getResourceAsStream(file), file);
  }

  /** Returns the bytes of a class of the JDK, as its image has them. */
  static byte[] readOfJdk(String name) throws IOException {
    String file = name.replace('.', '/') + ".class";
    return read(ClassLoader.getSystemResourceAsStream(file), file);
  }

  private static byte[] read(InputStream opened, String file) throws IOException {
    try (InputStream in = opened) {
      if (in == null) {
        throw new IOException("there is no " + file);
      }
      return in.readAllBytes();
    }
  }

  /**
   * Returns whether code of a loader can call a class that was defined in the bootstrap loader: not
   * each loader delegates to it.
   */
  static boolean isSeenBy(ClassLoader loader, String name) {
    try {
      return Class.forName(name, false, loader) == Class.forName(name, false, null);
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /**
   * Defines classes by name; superclasses and interfaces must come first. Those that an earlier
   * agent left stay as they are: they cannot be unloaded.
   */
  static void define(Instrumentation instrumentation, Map<String, byte[]> classes)
      throws ReflectiveOperationException {
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of("jdk.internal.misc", Set.of(BootClasses.class.getModule())),
        Map.of(),
        Set.of(),
        Map.of());
    Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
    Object unsafe = type.getMethod("getUnsafe").invoke(null);
    Method define =
        type.getMethod(
            "defineClass",
            String.class,
            byte[].class,
            int.class,
            int.class,
            ClassLoader.class,
            ProtectionDomain.class);
    for (Map.Entry<String, byte[]> each : classes.entrySet()) {
      if (isDefined(each.getKey())) {
        continue;
      }
      byte[] bytes = each.getValue();
      define.invoke(unsafe, each.getKey(), bytes, 0, bytes.length, null, null);
    }
  }

  private static boolean isDefined(String name) {
    try {
      Class.forName(name, false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
