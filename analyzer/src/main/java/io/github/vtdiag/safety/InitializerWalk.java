package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_NATIVE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.H_INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.H_INVOKESTATIC;
import static org.objectweb.asm.Opcodes.H_NEWINVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.PUTSTATIC;

import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * All code that may run while classes are initialized, in the initializing thread: the calls of the
 * initializers, the classes that they initialize, and the methods that the JDK may call on the
 * objects they create.
 */
final class InitializerWalk {
  /** The most methods that an initializer may run; with more, it counts as running anything. */
  private static final int MAX_METHODS = 400;

  /** The types whose values run no code of the program. */
  private static final Set<String> PLAIN =
      Set.of("Ljava/lang/String;", "Ljava/lang/Class;", "Ljava/util/regex/Pattern;");

  private static final List<String> JDK =
      List.of(
          "java/lang/",
          "java/util/",
          "java/math/",
          "java/time/",
          "java/text/",
          "java/io/",
          "java/nio/");

  /** The methods that run code which is named only at run time. */
  private static final List<String> REFLECTIVE =
      List.of(
          "java/lang/reflect/",
          "java/lang/invoke/",
          "java/lang/ClassLoader.",
          "java/lang/Class.forName",
          "java/lang/Class.newInstance",
          "java/lang/ModuleLayer",
          "java/lang/System.load",
          "java/lang/Runtime.load",
          "java/util/ServiceLoader",
          "java/util/ResourceBundle",
          "java/io/ObjectInputStream");

  /** The types that the JDK instantiates itself, by names in the configuration. */
  private static final List<String> LOGGING =
      List.of(
          "java/util/logging/Handler",
          "java/util/logging/Formatter",
          "java/util/logging/Filter",
          "java/util/logging/LogManager");

  private static final Set<String> WAITS =
      Set.of("join", "await", "get", "invokeAll", "invokeAny", "take", "acquire", "exchange");

  /** The class with the lock; none of its code has run yet, or only the followed code. */
  private final String owner;

  private final WholeProgram program;
  private final TypeHierarchy hierarchy;
  private final CallTargets targets;
  private final Set<MethodName> run = new LinkedHashSet<>();
  private final Set<String> initialized = new LinkedHashSet<>();
  private final Set<String> made = new LinkedHashSet<>();
  private final Deque<MethodName> next = new ArrayDeque<>();
  private String unknown;
  private String waits;

  InitializerWalk(String owner, WholeProgram program) {
    this.owner = owner;
    this.program = program;
    this.hierarchy = program.hierarchy();
    this.targets = new CallTargets(hierarchy, program.calls());
    initialized.add(owner);
  }

  /** Returns the methods that may run. */
  Set<MethodName> run() {
    return run;
  }

  /** Returns the first place that may run unknown code; null if there is none. */
  String unknown() {
    return unknown;
  }

  /** Returns the first place that waits for another thread; null if there is none. */
  String waits() {
    return waits;
  }

  /** Follows the initializers of all superclasses and superinterfaces of the class. */
  InitializerWalk above() {
    hierarchy.ancestors(owner).forEach(this::initialize);
    follow();
    return this;
  }

  /** Follows the initializer of the class, or only its first instructions. */
  InitializerWalk own(int instructions) {
    MethodName initializer = new MethodName(owner, "<clinit>", "()V");
    program
        .code()
        .method(initializer)
        .ifPresent(
            node -> {
              for (int i = 0; i < Math.min(instructions, node.instructions.size()); i++) {
                step(node.instructions.get(i), initializer);
              }
            });
    follow();
    return this;
  }

  private void follow() {
    while (!next.isEmpty() && run.size() < MAX_METHODS) {
      MethodName method = next.removeFirst();
      program
          .code()
          .method(method)
          .ifPresent(node -> node.instructions.forEach(each -> step(each, method)));
    }
    if (!next.isEmpty()) {
      unknownIn(next.getFirst());
    }
  }

  private void enqueue(MethodName method) {
    if (run.add(method)) {
      next.add(method);
    }
  }

  private void unknownIn(MethodName method) {
    if (unknown == null) {
      unknown = ShortNames.text(method);
    }
  }

  private void step(AbstractInsnNode each, MethodName in) {
    switch (each) {
      case MethodInsnNode call -> call(call, in);
      case TypeInsnNode type when type.getOpcode() == NEW -> make(type.desc);
      case FieldInsnNode field -> field(field, in);
      case InvokeDynamicInsnNode dynamic -> {
        if (!dynamic.bsm.getOwner().startsWith("java/lang/")) {
          unknownIn(in);
        }
        for (Object argument : dynamic.bsmArgs) {
          constant(argument, in);
        }
      }
      case LdcInsnNode constant -> constant(constant.cst, in);
      default -> {}
    }
  }

  private void constant(Object constant, MethodName in) {
    switch (constant) {
      case Handle handle when handle.getDesc().startsWith("(") -> {
        if (handle.getTag() == H_NEWINVOKESPECIAL) {
          make(handle.getOwner());
        }
        int opcode =
            handle.getTag() == H_INVOKESTATIC
                ? INVOKESTATIC
                : handle.getTag() == H_NEWINVOKESPECIAL
                    ? INVOKESPECIAL
                    : handle.getTag() == H_INVOKEINTERFACE ? INVOKEINTERFACE : INVOKEVIRTUAL;
        call(
            new MethodInsnNode(
                opcode,
                handle.getOwner(),
                handle.getName(),
                handle.getDesc(),
                handle.isInterface()),
            in);
      }
      // The JDK asks an enum for its constants, given the class.
      case Type type when type.getSort() == Type.OBJECT -> initialize(type.getInternalName());
      case ConstantDynamic dynamic -> unknownIn(in);
      default -> {}
    }
  }

  private void field(FieldInsnNode field, MethodName in) {
    switch (field.getOpcode()) {
      case GETSTATIC -> {
        initialize(field.owner);
        if (field.owner.equals("java/lang/System")) {
          hierarchy.subtree("java/io/OutputStream").forEach(this::callBack);
        } else if (hierarchy.type(field.owner).isPresent() && !isNew(field, in)) {
          unknownIn(in);
        }
      }
      case PUTSTATIC -> initialize(field.owner);
      default -> {}
    }
  }

  /**
   * Returns whether the value of a field was created by the followed code, or runs no code of the
   * program.
   */
  private boolean isNew(FieldInsnNode field, MethodName in) {
    Type type = Type.getType(field.desc);
    return type.getSort() < Type.ARRAY
        || PLAIN.contains(field.desc)
        || (type.getSort() == Type.ARRAY && type.getElementType().getSort() < Type.ARRAY)
        || hierarchy.isSubtype(owner, field.owner)
        || (in.owner().equals(field.owner) && in.name().equals("<clinit>"));
  }

  private void make(String type) {
    initialize(type);
    callBack(type);
  }

  /** Follows the overridden methods of the JDK, which it may call on an object of the type. */
  private void callBack(String type) {
    if (hierarchy.type(type).isEmpty() || !made.add(type)) {
      return;
    }
    for (String above : hierarchy.ancestors(type)) {
      hierarchy
          .type(above)
          .ifPresent(
              declaring ->
                  declaring
                      .methods()
                      .values()
                      .forEach(
                          method -> {
                            MethodName name = method.name();
                            if (!name.name().startsWith("<")
                                && !method.has(ACC_STATIC | ACC_ABSTRACT)
                                && hierarchy.overridesJdkMethod(
                                    new MethodName(type, name.name(), name.descriptor()))) {
                              enqueue(name);
                            }
                          }));
    }
  }

  private void initialize(String type) {
    if (type.equals(owner) || !initialized.add(type)) {
      return;
    }
    for (String above : hierarchy.ancestors(type)) {
      if (!above.equals(owner) && hierarchy.type(above).isPresent()) {
        initialized.add(above);
        MethodName initializer = new MethodName(above, "<clinit>", "()V");
        hierarchy.method(initializer).ifPresent(found -> enqueue(initializer));
      }
    }
  }

  private void call(MethodInsnNode call, MethodName in) {
    if (call.owner.startsWith("[")) {
      return;
    }
    if (call.getOpcode() == INVOKESTATIC) {
      initialize(call.owner);
    }
    if (hierarchy.type(call.owner).isEmpty()) {
      outside(call.owner, call, in);
      return;
    }
    Set<MethodName> found = targets.of(call).methods();
    found.forEach(this::enqueue);
    boolean isNative =
        hierarchy.subtree(call.owner).stream()
            .map(type -> hierarchy.method(new MethodName(type, call.name, call.desc)))
            .anyMatch(method -> method.filter(each -> each.has(ACC_NATIVE)).isPresent());
    if (isNative) {
      unknownIn(in);
    }
    if (found.isEmpty()) {
      for (String above : hierarchy.ancestors(call.owner)) {
        if (hierarchy.type(above).isEmpty()
            && (!hierarchy.isKnown(above)
                || hierarchy.isJdkMethod(new MethodName(above, call.name, call.desc)))) {
          outside(above, call, in);
        }
      }
    }
  }

  /** Notes a call into the JDK. It runs code of the program only on objects that it is given. */
  private void outside(String type, MethodInsnNode call, MethodName in) {
    String name = type + "." + call.name;
    if (waits == null
        && (type.equals("java/lang/Thread") || type.startsWith("java/util/concurrent/"))
        && WAITS.contains(call.name)
        && !type.contains("/atomic/")
        && !type.contains("Map")) {
      waits = ShortNames.text(in);
    }
    if (!hierarchy.isKnown(type)
        || JDK.stream().noneMatch(type::startsWith)
        || REFLECTIVE.stream().anyMatch(name::startsWith)) {
      unknownIn(in);
    }
    if (type.startsWith("java/util/logging/")) {
      for (String above : LOGGING) {
        for (String made : hierarchy.subtree(above)) {
          make(made);
          hierarchy
              .type(made)
              .ifPresent(
                  declared ->
                      declared.methods().values().stream()
                          .filter(method -> method.name().name().equals("<init>"))
                          .forEach(method -> enqueue(method.name())));
        }
      }
    }
  }
}
