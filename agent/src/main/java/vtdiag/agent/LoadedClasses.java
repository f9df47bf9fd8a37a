package vtdiag.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import vtdiag.locksite.LockMaps;
import vtdiag.model.ClassMonitors;
import vtdiag.model.ClassRef;
import vtdiag.pin.Attributor;

/**
 * The lock maps of loaded classes. Their bytes are read by retransforming them to what they are: a
 * transformer that comes after all others copies what the JVM runs and changes nothing. Each class
 * is read once.
 */
final class LoadedClasses implements Attributor.LockMapSource {
  private final Instrumentation instrumentation;

  /** By class name; a class that cannot be read has an empty list. */
  private final Map<String, List<ClassMonitors>> maps = new HashMap<>();

  LoadedClasses(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  @Override
  public List<ClassMonitors> find(ClassRef type) {
    read(List.of(type));
    synchronized (maps) {
      return maps.getOrDefault(type.name(), List.of());
    }
  }

  /** All that were read. */
  List<ClassMonitors> all() {
    synchronized (maps) {
      return maps.values().stream().flatMap(List::stream).toList();
    }
  }

  /** Reads those that were not read yet, all at once: each retransformation stops the JVM. */
  void read(Collection<ClassRef> types) {
    synchronized (maps) {
      Set<String> wanted = new LinkedHashSet<>();
      for (ClassRef type : types) {
        if (!maps.containsKey(type.name())) {
          wanted.add(type.name());
        }
      }
      if (wanted.isEmpty()) {
        return;
      }
      wanted.forEach(name -> maps.put(name, new ArrayList<>()));
      List<Class<?>> classes = new ArrayList<>();
      for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
        if (wanted.contains(loaded.getName()) && isReadable(loaded)) {
          classes.add(loaded);
        }
      }
      bytesOf(classes).forEach(this::add);
    }
  }

  /** JFR's own classes are left alone: agents that touched them corrupted recordings. */
  private boolean isReadable(Class<?> type) {
    return instrumentation.isModifiableClass(type)
        && !type.isHidden()
        && !type.getName().startsWith("jdk.jfr.");
  }

  private void add(Class<?> type, byte[] bytes) {
    ClassRef ref = new ClassRef(type.getName(), loaderName(type.getClassLoader()));
    try {
      maps.get(type.getName())
          .add(LockMaps.read(bytes, ref, location(type), ClassMonitors.Evidence.LOADED_CLASS));
    } catch (IllegalArgumentException e) {
      // A class the JVM runs and ASM cannot read: then it has no map, and attribution says so.
    }
  }

  /** As JFR names them. */
  private static String loaderName(ClassLoader loader) {
    if (loader == null) {
      return "";
    }
    String name = loader.getName();
    return name == null || name.isEmpty() ? loader.getClass().getName() : name;
  }

  private static String location(Class<?> type) {
    ProtectionDomain domain = type.getProtectionDomain();
    CodeSource source = domain == null ? null : domain.getCodeSource();
    if (source != null && source.getLocation() != null) {
      return source.getLocation().toString();
    }
    Module module = type.getModule();
    return module.isNamed() ? "jrt:/" + module.getName() : "";
  }

  private Map<Class<?>, byte[]> bytesOf(List<Class<?>> classes) {
    Capture capture = new Capture(classes);
    instrumentation.addTransformer(capture, true);
    try {
      retransform(classes);
    } finally {
      instrumentation.removeTransformer(capture);
    }
    return capture.bytes;
  }

  /** All at once; if one of them refuses, one by one, so that only that one is missing. */
  private void retransform(List<Class<?>> classes) {
    if (classes.isEmpty()) {
      return;
    }
    try {
      instrumentation.retransformClasses(classes.toArray(Class<?>[]::new));
    } catch (UnmodifiableClassException | LinkageError | InternalError e) {
      if (classes.size() > 1) {
        classes.forEach(type -> retransform(List.of(type)));
      }
    }
  }

  private static final class Capture implements ClassFileTransformer {
    private final Set<Class<?>> wanted;
    private final Map<Class<?>, byte[]> bytes = new HashMap<>();

    Capture(List<Class<?>> wanted) {
      this.wanted = Set.copyOf(wanted);
    }

    @Override
    public byte[] transform(
        Module module,
        ClassLoader loader,
        String className,
        Class<?> redefined,
        ProtectionDomain domain,
        byte[] classFile) {
      if (redefined != null && wanted.contains(redefined)) {
        synchronized (bytes) {
          bytes.put(redefined, classFile.clone());
        }
      }
      return null;
    }
  }
}
