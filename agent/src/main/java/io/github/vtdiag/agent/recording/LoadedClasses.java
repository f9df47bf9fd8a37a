package io.github.vtdiag.agent.recording;

import io.github.vtdiag.agent.jvm.HeapRoom;
import io.github.vtdiag.agent.jvm.JdkInternals;
import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.agent.threads.Management;
import io.github.vtdiag.hang.AgentJars;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.locksite.JarContents;
import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.locksite.Transformers;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.JarContent;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.Attributor;
import io.github.vtdiag.pin.ClassWaits;
import io.github.vtdiag.watch.OutsideStacks;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The lock maps of loaded classes. A class's bytes come from its own loader, and are trusted as
 * long as every frame fits them. If one does not, because an agent changed the class or it was
 * generated in memory, the loaded bytes are read: by a retransformation that changes nothing, with
 * a transformer that copies what it is given. The copy has the changes by agents before this one on
 * the command line, not by those after it; then the frames do not fit, and the attribution says so.
 *
 * <p>Retransforming stops the JVM, discards compiled code, and makes JFR lose the method of a
 * running {@code <clinit>}. So it is the exception: once per class, and never while the class is
 * being initialized.
 */
public final class LoadedClasses
    implements Attributor.LockMapSource, OutsideStacks.Classes, LockMapReader {
  private final Instrumentation instrumentation;

  /** By class name; a class that cannot be read has an empty list. */
  private final Map<String, List<ClassMonitors>> maps = new HashMap<>();

  /** The contents of the jars from which the classes in {@link #maps} were loaded, by location. */
  private final Map<String, JarContent> jars = new HashMap<>();

  /** The names of the classes that were retransformed. */
  private final Set<String> retransformed = new HashSet<>();

  /** The frames in which threads waited for a class, by the name of the class that needed it. */
  private final Map<String, Set<Frame>> asking = new HashMap<>();

  /** A class, and the lock map that goes into the recording. */
  public record Recorded(ClassMonitors type, String map) {}

  public LoadedClasses(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  @Override
  public List<ClassMonitors> find(ClassRef type) {
    synchronized (maps) {
      return maps.getOrDefault(type.name(), List.of());
    }
  }

  /** Returns all lock maps that were read. */
  public List<Recorded> all() {
    synchronized (maps) {
      return maps.values().stream()
          .flatMap(List::stream)
          .map(type -> new Recorded(type, text(type)))
          .toList();
    }
  }

  /** Returns the lock maps of the classes of that name. */
  public List<Recorded> named(String name) {
    synchronized (maps) {
      return maps.getOrDefault(name, List.of()).stream()
          .map(type -> new Recorded(type, text(type)))
          .toList();
    }
  }

  private String text(ClassMonitors type) {
    Set<Frame> there = asking.getOrDefault(type.type().name(), Set.of());
    return there.isEmpty()
        ? LockMaps.write(type.methods())
        : LockMaps.write(
            type.methods(),
            (method, bci) -> there.stream().anyMatch(frame -> asksAt(method, bci, frame)));
  }

  private static boolean asksAt(MethodMonitors method, int bci, Frame frame) {
    return frame.bci() == bci
        && frame.method().equals(method.name())
        && frame.descriptor().equals(method.descriptor())
        && !ClassWaits.entersArray(method, frame);
  }

  /** Records where a pinned thread waited for a class, so that the recording shows which. */
  public void remember(PinEpisode episode) {
    Optional<Frame> frame = ClassWaits.asking(episode);
    if (frame.isPresent()) {
      synchronized (maps) {
        asking.computeIfAbsent(frame.get().type().name(), name -> new HashSet<>()).add(frame.get());
      }
    }
  }

  /** Reads the classes on these stacks that were not read yet, or that do not fit. */
  @Override
  public void read(Collection<StackTrace> stacks) {
    synchronized (maps) {
      Set<String> unread = new HashSet<>();
      for (StackTrace stack : stacks) {
        for (Frame frame : stack.frames()) {
          if (!maps.containsKey(frame.type().name())) {
            unread.add(frame.type().name());
          }
        }
      }
      unread.forEach(name -> maps.put(name, new ArrayList<>()));
      for (Class<?> type : loaded(unread)) {
        resource(type).ifPresent(bytes -> add(type, bytes, ""));
      }

      Set<String> unfit = new HashSet<>();
      stacks.forEach(stack -> addUnfit(stack, unfit));
      unfit.removeAll(retransformed);
      if (unfit.isEmpty() || !HeapRoom.isThere()) {
        return;
      }
      retransformed.addAll(unfit);
      AgentJars agents = Management.agents();
      loadedBytes(loaded(unfit))
          .forEach(
              (type, bytes) -> {
                maps.get(type.getName()).removeIf(map -> isOf(map, type));
                add(type, bytes, changedBy(type, bytes, agents));
              });
    }
  }

  private List<Class<?>> loaded(Set<String> names) {
    if (names.isEmpty()) {
      return List.of();
    }
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> type : JdkInternals.loadedClasses(instrumentation)) {
      if (names.contains(type.getName()) && !type.isHidden()) {
        classes.add(type);
      }
    }
    return classes;
  }

  /**
   * Returns the instructions of loaded classes, from the class files that their own loaders
   * provide.
   */
  @Override
  public List<CodeSites> code(Set<String> names) {
    List<CodeSites> code = new ArrayList<>();
    for (Class<?> type : loaded(names)) {
      ClassRef ref = new ClassRef(type.getName(), loaderName(type.getClassLoader()));
      try {
        resource(type).ifPresent(bytes -> code.add(CodeSites.read(bytes, ref)));
      } catch (IllegalArgumentException e) {
        // A class that the JVM runs and ASM cannot read: its frames have no bci.
      }
    }
    return code;
  }

  @Override
  public boolean isUninitialized(String name) {
    return loaded(Set.of(name)).stream().anyMatch(type -> !JdkInternals.isInitialized(type));
  }

  private static Optional<byte[]> resource(Class<?> type) {
    String path = type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getModule().getResourceAsStream(path)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException | RuntimeException | LinkageError e) {
      // A loader of the application: its exceptions are not for the agent to report.
      return Optional.empty();
    }
  }

  /**
   * Adds the classes with a frame at a bci where their bytes have no call, and enter no monitor.
   */
  private void addUnfit(StackTrace stack, Set<String> unfit) {
    Set<String> initializing = new HashSet<>();
    for (Frame frame : stack.frames()) {
      if (frame.isClassInitializer()) {
        initializing.add(frame.type().name());
      }
    }
    for (Frame frame : stack.frames()) {
      String name = frame.type().name();
      // Bci 0 is also where a synchronized method waits to be entered, which is no call.
      if (frame.bci() > 0 && !initializing.contains(name) && !fits(frame)) {
        unfit.add(name);
      }
    }
  }

  private boolean fits(Frame frame) {
    return find(frame.type()).stream()
        .flatMap(map -> map.method(frame.method(), frame.descriptor()).stream())
        .anyMatch(method -> method.fits(frame.bci(), frame.line()) || method.entersAt(frame));
  }

  private static boolean isOf(ClassMonitors map, Class<?> type) {
    return map.type().loader().equals(loaderName(type.getClassLoader()));
  }

  /**
   * Returns the agent that changed a class whose bytes differ from those of its loader; empty if
   * none did.
   */
  private static String changedBy(Class<?> type, byte[] bytes, AgentJars agents) {
    return resource(type).map(given -> Transformers.changed(given, bytes, agents::find)).orElse("");
  }

  private void add(Class<?> type, byte[] bytes, String changedBy) {
    ClassRef ref = new ClassRef(type.getName(), loaderName(type.getClassLoader()));
    try {
      String location = location(type);
      maps.get(type.getName())
          .add(
              LockMaps.read(bytes, ref, location, ClassMonitors.Evidence.LOADED_CLASS)
                  .from(jars.computeIfAbsent(location, JarContents::of))
                  .changedBy(changedBy));
    } catch (IllegalArgumentException e) {
      // A class that the JVM runs and ASM cannot read has no map; the attribution says so.
    }
  }

  /** Returns the name that JFR has for a loader. */
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

  private Map<Class<?>, byte[]> loadedBytes(List<Class<?>> types) {
    List<Class<?>> classes = types.stream().filter(this::mayRetransform).toList();
    Capture capture = new Capture(classes);
    instrumentation.addTransformer(capture, true);
    try {
      retransform(classes);
    } finally {
      instrumentation.removeTransformer(capture);
    }
    return capture.bytes;
  }

  /** JFR's own classes are left alone: agents that touched them corrupted recordings. */
  private boolean mayRetransform(Class<?> type) {
    return instrumentation.isModifiableClass(type) && !type.getName().startsWith("jdk.jfr.");
  }

  /** Retransforms all at once; if one class fails, one by one, so that only that one is missing. */
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
