package io.github.vtdiag.safety;

import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import java.util.Optional;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Refuses a lock that is needed too early: a lock field is still null while the constructors of the
 * superclasses run.
 */
final class InitializationOrder implements Rule {
  private static final String FINALIZER = "finalize()V";

  @Override
  public Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    return switch (lock) {
      case LockGroup.Instances of ->
          TypeHierarchy.OBJECT.equals(program.hierarchy().superName(of.top()))
              ? Optional.empty()
              : inSuperConstructors(of, program);
      case LockGroup.OfField of -> assignedBeforeSuper(of.field(), program);
      case LockGroup.ClassObject of -> Optional.empty();
      case LockGroup.OfVariable of -> Optional.empty();
      case LockGroup.Unmovable none -> Optional.empty();
    };
  }

  /**
   * Finds a finalizer of the locked classes: the JVM runs it, whatever their constructors throw.
   */
  private static Optional<String> finalized(LockGroup.Instances lock, WholeProgram program) {
    return program.hierarchy().subtree(lock.top()).stream()
        .filter(type -> hasFinalizer(type, program.hierarchy()))
        .sorted()
        .map(type -> ShortNames.simple(type) + ".finalize")
        .findFirst();
  }

  /** Returns whether a class has a finalizer, its own or that of a superclass in the program. */
  private static boolean hasFinalizer(String type, TypeHierarchy hierarchy) {
    for (String at = type; at != null; at = hierarchy.superName(at)) {
      Optional<ClassFile> known = hierarchy.type(at);
      if (known.isPresent() && known.get().methods().containsKey(FINALIZER)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Refuses a field that a constructor assigns before super(), which it may do from Java 25 on: a
   * lock beside the field comes after super().
   */
  private static Optional<Refusal> assignedBeforeSuper(Field field, WholeProgram program) {
    return program.hierarchy().type(field.name().owner()).orElseThrow().methods().values().stream()
        .filter(method -> method.name().name().equals("<init>"))
        .map(method -> program.bodies().of(method.name()))
        .filter(body -> !field.isStatic() && isAssignedBeforeSuper(field, body))
        .findFirst()
        .flatMap(
            body ->
                Refusal.of(
                    RefusalReason.INITIALIZATION_ORDER,
                    ShortNames.text(field.name())
                        + " is assigned before super(), and a lock beside it would be later"));
  }

  private static boolean isAssignedBeforeSuper(Field field, Body body) {
    boolean assigned = false;
    for (AbstractInsnNode each : body.instructions()) {
      if (each instanceof FieldInsnNode put
          && put.getOpcode() == Opcodes.PUTFIELD
          && put.name.equals(field.name().name())
          && put.owner.equals(field.name().owner())) {
        assigned = true;
      } else if (assigned
          && each instanceof MethodInsnNode call
          && call.name.equals("<init>")
          && body.arguments(call).getFirst().all().stream()
              .anyMatch(receiver -> receiver.slot() == 0)) {
        return true;
      }
    }
    return false;
  }

  private static Optional<Refusal> inSuperConstructors(
      LockGroup.Instances lock, WholeProgram program) {
    EscapeOfThis.Result result = program.escapes().beforeFieldsOf(lock.top());
    String constructor = "a superclass constructor of " + ShortNames.simple(lock.top());
    Optional<MethodName> locking =
        lock.sites().stream()
            .map(site -> site.use().method)
            .filter(result.run()::contains)
            .findFirst();
    if (locking.isPresent()) {
      return Refusal.of(
          RefusalReason.INITIALIZATION_ORDER,
          constructor
              + " may call "
              + ShortNames.text(locking.get())
              + " before the lock field is assigned");
    }
    Optional<String> finalized = finalized(lock, program);
    if (finalized.isPresent()) {
      return Refusal.of(
          RefusalReason.INITIALIZATION_ORDER,
          constructor
              + " may throw before the lock field is assigned, and then "
              + finalized.get()
              + " runs");
    }
    return result
        .where()
        .flatMap(
            where ->
                Refusal.of(
                    RefusalReason.INITIALIZATION_ORDER,
                    constructor
                        + " may let the object out before the lock field is assigned: see "
                        + where));
  }
}
