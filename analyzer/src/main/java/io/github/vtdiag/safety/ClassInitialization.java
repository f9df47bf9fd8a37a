package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.PUTSTATIC;

import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.safety.MonitorUses.MonitorSite;
import java.util.Optional;
import java.util.regex.Pattern;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Refuses a class object if its lock may be needed too early. A class object can be locked before
 * its class is initialized; a static lock is null until then. The patch puts it before all other
 * static fields; in an enum, after its constants.
 */
final class ClassInitialization implements Rule {
  private static final String INITIALIZER = "<clinit>()V";

  /** The calls in an initializer that have no visible side effects. */
  private static final Pattern QUIET =
      Pattern.compile(
          "java/lang/(Object|StringBuilder|ThreadLocal)\\.<init>"
              + "|java/lang/Class\\.desiredAssertionStatus"
              + "|java/lang/(Boolean|Byte|Character|Short|Integer|Long|Float|Double)\\.valueOf"
              + "|java/util/(concurrent/)?\\w*(Map|List|Set|Deque|Queue|Vector)\\.<init>"
              + "|java/util/Collections\\.(synchronized|unmodifiable|empty)\\w+"
              + "|java/util/concurrent/(atomic|locks)/\\w+\\.<init>");

  @Override
  public Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    return lock instanceof LockGroup.ClassObject of ? refuse(of, program) : Optional.empty();
  }

  private static Optional<Refusal> refuse(LockGroup.ClassObject lock, WholeProgram program) {
    return beforeTheLock(lock, program)
        .or(() -> fromOutside(lock, program))
        .or(() -> whileOthersWait(lock, program));
  }

  private static Optional<Refusal> beforeTheLock(LockGroup.ClassObject lock, WholeProgram program) {
    String type = lock.type();
    String simple = ShortNames.simple(type);
    Optional<Refusal> above =
        reaches(
            lock,
            new InitializerWalk(type, program).above(),
            "the initializer of a class above " + simple);
    if (above.isPresent()
        || program.hierarchy().type(type).orElseThrow().methods().get(INITIALIZER) == null) {
      return above;
    }
    boolean isEnum = "java/lang/Enum".equals(program.hierarchy().superName(type));
    Optional<Integer> first = isEnum ? constants(type, program) : version(type, program);
    if (!isEnum && first.isEmpty()) {
      return Optional.empty();
    }
    return reaches(
        lock,
        new InitializerWalk(type, program).own(first.orElse(Integer.MAX_VALUE)),
        isEnum ? "making the constants of " + simple : "the serialVersionUID of " + simple);
  }

  private static Optional<Refusal> reaches(
      LockGroup.ClassObject lock, InitializerWalk walk, String who) {
    Optional<MethodName> locking =
        lock.sites().stream()
            .map(site -> site.use().method)
            .filter(walk.run()::contains)
            .findFirst();
    if (locking.isPresent()) {
      return Refusal.of(
          RefusalReason.INITIALIZATION_ORDER,
          who
              + " may call "
              + ShortNames.text(locking.get())
              + " before the static lock is assigned");
    }
    return walk.unknown() == null
        ? Optional.empty()
        : Refusal.of(
            RefusalReason.INITIALIZATION_ORDER,
            who
                + " may run code that is not known before the static lock is assigned: see "
                + walk.unknown());
  }

  /** Returns the number of instructions that create the constants of an enum. */
  private static Optional<Integer> constants(String type, WholeProgram program) {
    return stored(type, "[L" + type + ";", null, program);
  }

  /**
   * Returns the number of instructions that set a serialVersionUID. The patch leaves it above the
   * lock; most need no code.
   */
  private static Optional<Integer> version(String type, WholeProgram program) {
    return stored(type, "J", "serialVersionUID", program);
  }

  private static Optional<Integer> stored(
      String type, String descriptor, String name, WholeProgram program) {
    return program
        .code()
        .initializer(type)
        .flatMap(
            node -> {
              for (AbstractInsnNode each : node.instructions) {
                if (each instanceof FieldInsnNode field
                    && field.getOpcode() == PUTSTATIC
                    && field.desc.equals(descriptor)
                    && (name == null ? field.name.contains("VALUES") : field.name.equals(name))) {
                  return Optional.of(node.instructions.indexOf(each));
                }
              }
              return Optional.empty();
            });
  }

  /**
   * Refuses where reading the lock would initialize the class; locking the class object does not.
   */
  private static Optional<Refusal> fromOutside(LockGroup.ClassObject lock, WholeProgram program) {
    for (MonitorSite site : lock.sites()) {
      if (!isInitialized(lock.type(), site.use().method, program)) {
        Optional<String> loud = loud(lock.type(), program);
        if (loud.isPresent()) {
          return Refusal.of(
              RefusalReason.INITIALIZATION_ORDER,
              site.use().where()
                  + " would initialize "
                  + ShortNames.simple(lock.type())
                  + " before it locks, and the initializer of "
                  + ShortNames.simple(loud.get())
                  + " does more than make objects");
        }
      }
    }
    return Optional.empty();
  }

  /** Returns whether a class is initialized, or is being initialized, where a method runs. */
  private static boolean isInitialized(String type, MethodName method, WholeProgram program) {
    TypeHierarchy hierarchy = program.hierarchy();
    String in = method.owner();
    if (hierarchy.isSubtype(in, type)) {
      return true;
    }
    Optional<ClassNode> node = program.code().declared(in);
    boolean ofInstance = hierarchy.method(method).filter(each -> !each.has(ACC_STATIC)).isPresent();
    return ofInstance
        && node.isPresent()
        && (type.equals(node.get().outerClass)
            || node.get().innerClasses.stream()
                .anyMatch(
                    each ->
                        each.name.equals(in)
                            && type.equals(each.outerName)
                            && (each.access & ACC_STATIC) == 0));
  }

  /** Finds the class, or one above it, whose initializer has visible side effects. */
  private static Optional<String> loud(String type, WholeProgram program) {
    return program.hierarchy().ancestors(type).stream()
        .filter(each -> program.hierarchy().type(each).isPresent())
        .filter(
            each ->
                program
                    .code()
                    .initializer(each)
                    .filter(node -> !isQuiet(node.instructions, each))
                    .isPresent())
        .findFirst();
  }

  private static boolean isQuiet(Iterable<AbstractInsnNode> code, String type) {
    for (AbstractInsnNode each : code) {
      boolean quiet =
          switch (each) {
            case MethodInsnNode call -> QUIET.matcher(call.owner + "." + call.name).matches();
            case FieldInsnNode field ->
                (field.getOpcode() != PUTSTATIC && field.getOpcode() != GETSTATIC)
                    || field.owner.equals(type);
            case InvokeDynamicInsnNode dynamic -> false;
            default -> each.getOpcode() != ATHROW;
          };
      if (!quiet) {
        return false;
      }
    }
    return true;
  }

  /**
   * Refuses a lock that another thread may need during initialization. It may use an object of a
   * class that is not initialized, but not its statics.
   */
  private static Optional<Refusal> whileOthersWait(
      LockGroup.ClassObject lock, WholeProgram program) {
    boolean everywhereStatic =
        lock.sites().stream()
            .map(site -> site.use().method)
            .allMatch(
                method ->
                    method.owner().equals(lock.type())
                        && program
                            .hierarchy()
                            .method(method)
                            .filter(each -> each.has(ACC_STATIC))
                            .isPresent());
    if (everywhereStatic) {
      return Optional.empty();
    }
    String waits = new InitializerWalk(lock.type(), program).own(Integer.MAX_VALUE).waits();
    return waits == null
        ? Optional.empty()
        : Refusal.of(
            RefusalReason.INITIALIZATION_ORDER,
            "the initializer of "
                + ShortNames.simple(lock.type())
                + " waits for another thread, which could not read the static lock meanwhile: see "
                + waits);
  }
}
