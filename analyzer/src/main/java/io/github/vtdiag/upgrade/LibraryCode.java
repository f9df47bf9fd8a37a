package io.github.vtdiag.upgrade;

import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.MONITORENTER;

import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.program.LibraryClasses;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;

/** The methods of a library, with their calls and the monitors held meanwhile. Read lazily. */
final class LibraryCode {

  /** A call in a method; for an {@code invokedynamic}, the method of which it makes an object. */
  record Call(int bci, String owner, String name, String descriptor) {}

  /** A method that has code. */
  record Method(
      String owner, String name, String descriptor, List<Call> calls, MethodMonitors monitors) {
    String qualified() {
      return owner + "." + name;
    }

    boolean is(String otherName, String otherDescriptor) {
      return name.equals(otherName) && descriptor.equals(otherDescriptor);
    }

    /** Returns whether it takes a monitor around a call. */
    boolean holdsAround(Call call) {
      return monitors.regions().stream().anyMatch(region -> region.holdsAt(call.bci()));
    }

    /** Returns whether it takes a monitor for as long as it runs, or around any of its calls. */
    boolean holdsAroundAny() {
      return monitors.regions().stream()
          .anyMatch(
              region ->
                  region.kind() == MonitorRegion.Kind.METHOD
                      || calls.stream().anyMatch(call -> region.holdsAt(call.bci())));
    }
  }

  private record Type(String superName, List<String> interfaces, List<Method> methods) {}

  private final LibraryClasses classes;
  private final Map<String, Optional<Type>> read = new HashMap<>();
  private final Set<String> unread = new HashSet<>();
  private Map<String, Set<String>> subtypes;

  LibraryCode(LibraryClasses classes) {
    this.classes = classes;
  }

  Set<String> names() {
    return classes.names();
  }

  boolean has(String className) {
    return names().contains(className);
  }

  /** Returns whether the class is there and cannot be read. */
  boolean isUnread(String className) {
    read(className);
    return unread.contains(className);
  }

  /** Returns the methods with code that a class declares. */
  List<Method> methods(String className) {
    return read(className).map(Type::methods).orElse(List.of());
  }

  Optional<Method> method(String className, String name, String descriptor) {
    return methods(className).stream().filter(m -> m.is(name, descriptor)).findFirst();
  }

  /**
   * Returns the methods of the library that a call may run: the inherited one, and those that
   * override.
   */
  List<Method> targets(Call call) {
    List<Method> found = new ArrayList<>();
    for (String type = call.owner(); has(type); type = superName(type)) {
      Optional<Method> own = method(type, call.name(), call.descriptor());
      if (own.isPresent()) {
        found.add(own.get());
        break;
      }
    }
    if (has(call.owner()) && !call.name().equals("<init>")) {
      for (String sub : below(call.owner())) {
        method(sub, call.name(), call.descriptor()).ifPresent(found::add);
      }
    }
    return found;
  }

  private String superName(String type) {
    return read(type).map(Type::superName).orElse("");
  }

  /**
   * Returns whether a class is one of these or a subclass, as far as the library's classes tell.
   */
  boolean isA(String type, Set<String> wanted) {
    if (wanted.contains(type)) {
      return true;
    }
    return read(type)
        .map(
            each ->
                isA(each.superName(), wanted)
                    || each.interfaces().stream().anyMatch(above -> isA(above, wanted)))
        .orElse(false);
  }

  private Set<String> below(String type) {
    if (subtypes == null) {
      subtypes = new HashMap<>();
      for (String name : classes.names()) {
        Optional<Type> each = read(name);
        if (each.isPresent()) {
          List<String> above = new ArrayList<>(each.get().interfaces());
          above.add(each.get().superName());
          above.forEach(s -> subtypes.computeIfAbsent(s, x -> new HashSet<>()).add(name));
        }
      }
    }
    Set<String> all = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(subtypes.getOrDefault(type, Set.of()));
    while (!open.isEmpty()) {
      String next = open.pop();
      if (all.add(next)) {
        open.addAll(subtypes.getOrDefault(next, Set.of()));
      }
    }
    return all;
  }

  private Optional<Type> read(String className) {
    Optional<Type> known = read.get(className);
    if (known == null) {
      known = classes.find(className).flatMap(bytes -> parse(className, bytes));
      read.put(className, known);
    }
    return known;
  }

  private Optional<Type> parse(String className, byte[] bytes) {
    try {
      Reader reader = new Reader(bytes);
      reader.accept(reader.visitor(), ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
      ClassMonitors monitors =
          reader.locks
              ? LockMaps.read(
                  bytes, new ClassRef(className, ""), "", ClassMonitors.Evidence.CLASS_PATH)
              : null;
      List<Method> methods = new ArrayList<>();
      reader.calls.forEach(
          (key, calls) -> {
            String name = key.getFirst();
            String descriptor = key.getLast();
            MethodMonitors of =
                Optional.ofNullable(monitors)
                    .flatMap(m -> m.method(name, descriptor))
                    .orElseGet(
                        () -> new MethodMonitors(name, descriptor, List.of(), true, List.of()));
            methods.add(new Method(className, name, descriptor, calls, of));
          });
      List<String> interfaces = new ArrayList<>();
      for (String each : reader.getInterfaces()) {
        interfaces.add(dotted(each));
      }
      String above = reader.getSuperName();
      return Optional.of(new Type(above == null ? "" : dotted(above), interfaces, methods));
    } catch (RuntimeException e) {
      // ASM fails on damaged classes with any kind of exception.
      unread.add(className);
      return Optional.empty();
    }
  }

  private static String dotted(String internal) {
    return internal.replace('/', '.');
  }

  /** A reader that knows the bci of the instruction being visited, which ASM hides. */
  private static final class Reader extends ClassReader {
    /** The calls by name and descriptor of their methods. */
    private final Map<List<String>, List<Call>> calls = new LinkedHashMap<>();

    private int bci;

    /** Tells whether any method takes a monitor; in most classes none does. */
    private boolean locks;

    Reader(byte[] bytes) {
      super(bytes);
    }

    @Override
    protected void readBytecodeInstructionOffset(int offset) {
      bci = offset;
    }

    ClassVisitor visitor() {
      return new ClassVisitor(ASM9) {
        @Override
        public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
          locks |= Modifier.isSynchronized(access);
          if ((access & (Modifier.ABSTRACT | Modifier.NATIVE)) != 0) {
            return null;
          }
          List<Call> of = new ArrayList<>();
          calls.put(List.of(name, descriptor), of);
          return calls(of);
        }
      };
    }

    private MethodVisitor calls(List<Call> of) {
      return new MethodVisitor(ASM9) {
        @Override
        public void visitInsn(int opcode) {
          locks |= opcode == MONITORENTER;
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String name, String descriptor, boolean isInterface) {
          String type = owner.startsWith("[") ? "java.lang.Object" : dotted(owner);
          of.add(new Call(bci, type, name, descriptor));
        }

        @Override
        public void visitInvokeDynamicInsn(
            String name, String descriptor, Handle bootstrap, Object... arguments) {
          for (Object each : arguments) {
            if (each instanceof Handle handle && handle.getDesc().startsWith("(")) {
              of.add(new Call(bci, dotted(handle.getOwner()), handle.getName(), handle.getDesc()));
            }
          }
        }
      };
    }
  }

  /** Returns the number of a method's parameters. */
  static int arity(String descriptor) {
    return org.objectweb.asm.Type.getArgumentTypes(descriptor).length;
  }
}
