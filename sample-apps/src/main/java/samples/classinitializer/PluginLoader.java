package samples.classinitializer;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads a plug-in and its settings anew, as hosts of scripts and plug-ins do on every reload. So a
 * class initializer, which runs once in a class's life, runs often enough to be measured.
 */
final class PluginLoader extends ClassLoader {
  static {
    // Else the JVM would hold the loader's monitor while it loads a class.
    registerAsParallelCapable();
  }

  /**
   * Classes of the loaders above, once found. Those lock while they look, and a plug-in that waits
   * for them in its initializer would pin for that alone.
   */
  private static final Map<String, Class<?>> SHARED = new ConcurrentHashMap<>();

  private final Map<String, byte[]> classes;

  private PluginLoader(Map<String, byte[]> classes) {
    super(PluginLoader.class.getClassLoader());
    this.classes = classes;
  }

  /** The bytes of the classes that every plug-in gets its own copy of, by class name. */
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

  /** A new plug-in, of a class of its own. */
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
    // One thread only uses a loader, so nothing need be locked.
    Class<?> loaded = findLoadedClass(name);
    return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
  }
}
