package samples.classinitializer;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads a plug-in and its settings anew, as hosts of scripts and plug-ins do on every reload. So a
 * class initializer, which runs once for each class, runs often enough to be measured.
 */
final class PluginLoader extends ClassLoader {
  static {
    // Else the JVM would hold the loader's monitor while it loads a class.
    registerAsParallelCapable();
  }

  /**
   * Classes that the loaders above have found. Those lock during the search, and a plug-in that
   * waited for them in its initializer would pin for that alone.
   */
  private static final Map<String, Class<?>> SHARED = new ConcurrentHashMap<>();

  private final Map<String, byte[]> classes;

  private PluginLoader(Map<String, byte[]> classes) {
    super(PluginLoader.class.getClassLoader());
    this.classes = classes;
  }

  /** Reads the bytes of the classes of which every plug-in gets its own copy, by class name. */
  static Map<String, byte[]> read(Class<?>... classes) throws IOException {
    var bytes = new HashMap<String, byte[]>();
    for (Class<?> type : classes) {
      String file = type.getName().replace('.', '/') + ".class";
      try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
        bytes.put(type.getName(), in.readAllBytes());
      }
    }
    return bytes;
  }

  /** Returns a new plug-in, of a class of its own. */
  static Runnable load(Map<String, byte[]> classes, Class<?> type)
      throws ReflectiveOperationException {
    Class<?> own = new PluginLoader(classes).loadClass(type.getName());
    return (Runnable) own.getDeclaredConstructor().newInstance();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    if (bytes == null) {
      Class<?> shared = SHARED.get(name);
      if (shared == null) {
        shared = super.loadClass(name, resolve);
        SHARED.put(name, shared);
      }
      return shared;
    }
    // Only one thread uses a loader, so no lock is needed.
    Class<?> loaded = findLoadedClass(name);
    return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
  }
}
