package io.github.vtdiag.rewrite;

import io.github.vtdiag.rewrite.Operand.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * The superclasses that one class loader sees, read from class files. Nothing is loaded: a class
 * that is loaded while another is being transformed bypasses the transformer, and would keep its
 * monitors.
 */
class Hierarchy {
  private static final String OBJECT = "java/lang/Object";

  /** The JDK's classes, by internal name; the same for every loader. */
  private static final Map<String, Optional<Entry>> OF_THE_JDK = new ConcurrentHashMap<>();

  /** Held weakly, or the map of hierarchies would keep every loader alive. */
  private final WeakReference<ClassLoader> loader;

  private final Map<String, Optional<Entry>> entries = new ConcurrentHashMap<>();

  Hierarchy(ClassLoader loader) {
    this.loader = new WeakReference<>(loader);
  }

  /**
   * A class.
   *
   * @param ofTheJdk whether it is never rewritten
   * @param locksItself whether it is the JDK's and may take the monitor of its own instances
   * @param created its final fields that only ever hold an object created for them, with the type
   *     of that object
   */
  private record Entry(
      int access,
      String superName,
      Set<String> interfaces,
      boolean ofTheJdk,
      boolean locksItself,
      Map<String, String> created) {
    boolean is(int flag) {
      return (access & flag) != 0;
    }
  }

  private Optional<Entry> find(String name) {
    Optional<Entry> jdk = ofTheJdk(name);
    if (jdk.isPresent()) {
      return jdk;
    }
    Optional<Entry> known = entries.get(name);
    if (known == null) {
      ClassLoader from = loader.get();
      known = from == null ? Optional.empty() : read(from, name, false);
      entries.put(name, known);
    }
    return known;
  }

  private Optional<Entry> ofTheJdk(String name) {
    Optional<Entry> known = OF_THE_JDK.get(name);
    if (known == null) {
      known = read(ClassLoader.getPlatformClassLoader(), name, true);
      if (known.isPresent()) {
        OF_THE_JDK.put(name, known);
      }
    }
    return known;
  }

  /** Adds the class being rewritten, whatever its loader says. */
  void add(ClassNode type) {
    entries.put(type.name, Optional.of(entry(type, false)));
  }

  private Optional<Entry> read(ClassLoader from, String name, boolean jdk) {
    if (name.startsWith("[")) {
      return Optional.empty();
    }
    try (InputStream in = from.getResourceAsStream(name + ".class")) {
      if (in == null) {
        return Optional.empty();
      }
      ClassNode type = new ClassNode();
      new ClassReader(in).accept(type, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      return Optional.of(entry(type, jdk));
    } catch (IOException | RuntimeException e) {
      // Then it is unknown. The question is asked again when an object is locked.
      return Optional.empty();
    }
  }

  private Entry entry(ClassNode type, boolean jdk) {
    Map<String, String> created = created(type);
    return new Entry(
        type.access,
        type.superName,
        Set.copyOf(type.interfaces),
        jdk,
        jdk && locksItself(type, created),
        created);
  }

  /** Returns whether every ancestor's class file is there. */
  boolean isKnown(String name) {
    for (String each = name; each != null; ) {
      Optional<Entry> entry = find(each);
      if (entry.isEmpty()) {
        return false;
      }
      each = entry.get().superName;
    }
    return true;
  }

  boolean isOfTheJdk(String name) {
    return ofTheJdk(name).isPresent();
  }

  /** Returns whether the JDK's code takes, or may take, the monitor of instances of this class. */
  boolean isLockedByTheJdk(String name) {
    for (String each = name; each != null && !each.equals(OBJECT); ) {
      Optional<Entry> entry = find(each);
      if (entry.isEmpty()) {
        return false;
      }
      if (entry.get().locksItself) {
        return true;
      }
      each = entry.get().superName;
    }
    return false;
  }

  /**
   * Returns whether an object may be locked by the JDK although its static type, this one, is not.
   * A subclass of an application's class has that class's superclasses, and those are not locked.
   */
  boolean mayHaveLockedSubclass(String name) {
    if (name.startsWith("[")) {
      return false;
    }
    Optional<Entry> entry = find(name);
    return entry.isEmpty()
        || entry.get().is(Opcodes.ACC_INTERFACE)
        || (entry.get().ofTheJdk ? !entry.get().is(Opcodes.ACC_FINAL) : !isKnown(name));
  }

  /**
   * Returns the type of the object that a class creates for a final field, if the field holds
   * nothing else.
   */
  Optional<String> createdFor(String owner, String field) {
    return find(owner).map(entry -> entry.created.get(field));
  }

  /** Returns whether the class is the other, or extends or implements it, as far as is known. */
  boolean isA(String name, String other) {
    return isA(name, other, new HashSet<>());
  }

  private boolean isA(String name, String other, Set<String> seen) {
    if (name == null || !seen.add(name)) {
      return false;
    }
    if (name.equals(other)) {
      return true;
    }
    Optional<Entry> entry = find(name);
    return entry.isPresent()
        && (isA(entry.get().superName, other, seen)
            || entry.get().interfaces.stream().anyMatch(each -> isA(each, other, seen)));
  }

  /**
   * Returns whether the class's code may lock its instances: by a synchronized method, or a block
   * on {@code this}, on its own type, or on something of unknown type. Fields such as {@code mutex}
   * in {@code Collections.SynchronizedMap} sometimes hold {@code this}.
   */
  private static boolean locksItself(ClassNode type, Map<String, String> created) {
    if ((type.access & Opcodes.ACC_INTERFACE) != 0) {
      return false;
    }
    for (MethodNode method : type.methods) {
      boolean instance = (method.access & Opcodes.ACC_STATIC) == 0;
      if ((instance && (method.access & Opcodes.ACC_SYNCHRONIZED) != 0)
          || hasMonitorOnItself(type, method, created)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasMonitorOnItself(
      ClassNode type, MethodNode method, Map<String, String> created) {
    Frame<BasicValue>[] frames = null;
    for (int i = 0; i < method.instructions.size(); i++) {
      AbstractInsnNode instruction = method.instructions.get(i);
      if (instruction.getOpcode() == Opcodes.MONITORENTER) {
        if (frames == null) {
          try {
            frames = follow(type, method, created);
          } catch (AnalyzerException e) {
            return true;
          }
        }
        if (frames[i] != null && isItself(type.name, top(frames[i]))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isItself(String type, BasicValue value) {
    if (!(value instanceof Operand operand)) {
      return true;
    }
    return switch (operand.origin()) {
      case THIS -> true;
      case OTHER -> operand.typeName().equals(OBJECT) || operand.typeName().equals(type);
      case NEW, CLASS_LITERAL, CLASS_LOADING_LOCK, STREAM_LOCK -> false;
    };
  }

  static BasicValue top(Frame<BasicValue> frame) {
    return frame.getStack(frame.getStackSize() - 1);
  }

  /**
   * Analyzes a method without a loader: this may be asked about the JDK while no class is at hand.
   */
  private static Frame<BasicValue>[] follow(
      ClassNode type, MethodNode method, Map<String, String> created) throws AnalyzerException {
    return new Analyzer<>(new OperandInterpreter(new Alone(type.name, created)))
        .analyze(type.name, method);
  }

  /** A hierarchy that knows one class, and asks for no other. */
  private static final class Alone extends Hierarchy {
    private final String name;
    private final Map<String, String> created;

    Alone(String name, Map<String, String> created) {
      super(null);
      this.name = name;
      this.created = created;
    }

    @Override
    boolean isA(String other, String ancestor) {
      return false;
    }

    @Override
    Optional<String> createdFor(String owner, String field) {
      return owner.equals(name) ? Optional.ofNullable(created.get(field)) : Optional.empty();
    }
  }

  /**
   * Returns the fields with objects created for them. The JVM lets only the class's own
   * initializers store to a final field.
   */
  private static Map<String, String> created(ClassNode type) {
    Set<String> fields =
        type.fields.stream()
            .filter(field -> (field.access & Opcodes.ACC_FINAL) != 0)
            .filter(field -> field.desc.startsWith("L") || field.desc.startsWith("["))
            .map(field -> field.name)
            .collect(Collectors.toSet());
    if (fields.isEmpty()) {
      return Map.of();
    }
    Map<String, String> created = new HashMap<>();
    Set<String> others = new HashSet<>();
    for (MethodNode method : type.methods) {
      if (!method.name.startsWith("<")) {
        continue;
      }
      Frame<BasicValue>[] frames;
      try {
        frames = follow(type, method, Map.of());
      } catch (AnalyzerException e) {
        return Map.of();
      }
      for (int i = 0; i < frames.length; i++) {
        if (frames[i] != null
            && method.instructions.get(i) instanceof FieldInsnNode store
            && (store.getOpcode() == Opcodes.PUTFIELD || store.getOpcode() == Opcodes.PUTSTATIC)
            && store.owner.equals(type.name)
            && fields.contains(store.name)) {
          String before =
              top(frames[i]) instanceof Operand value && value.origin() == Origin.NEW
                  ? created.putIfAbsent(store.name, value.typeName())
                  : "";
          if (before != null && !before.equals(created.get(store.name))) {
            others.add(store.name);
          }
        }
      }
    }
    created.keySet().removeAll(others);
    return Map.copyOf(created);
  }
}
