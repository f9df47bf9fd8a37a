package io.github.vtdiag.safety;

import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.ClassFile.Method;
import io.github.vtdiag.program.TypeHierarchy;
import java.util.Optional;
import java.util.stream.Stream;
import org.objectweb.asm.Handle;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Refuses a lock that a clone would share with its original; a monitor is each object's own. A
 * {@code clone} that runs a constructor creates a lock too.
 */
final class Cloning {
  private static final String CLONE = "clone()Ljava/lang/Object;";

  private Cloning() {}

  static Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    if (!(lock instanceof LockGroup.Instances of)) {
      return Optional.empty();
    }
    return program.hierarchy().subtree(of.top()).stream()
        .filter(type -> program.hierarchy().isSubtype(type, "java/lang/Cloneable"))
        .filter(type -> mayBeCopied(type, program))
        .findFirst()
        .flatMap(
            type ->
                Refusal.of(
                    RefusalReason.CLONEABLE,
                    ShortNames.simple(type) + " is Cloneable: a clone would share the lock"));
  }

  /**
   * Returns whether Object's method may copy an instance. The method is protected: only a
   * superclass of the object, or the object itself, can call it.
   */
  private static boolean mayBeCopied(String type, WholeProgram program) {
    TypeHierarchy hierarchy = program.hierarchy();
    for (String at = type; !TypeHierarchy.OBJECT.equals(at); at = hierarchy.superName(at)) {
      Optional<ClassFile> own = hierarchy.type(at);
      if (own.isEmpty()
          || own.get().methods().values().stream().anyMatch(each -> copies(each, program))) {
        return true;
      }
    }
    return false;
  }

  private static boolean copies(Method method, WholeProgram program) {
    for (AbstractInsnNode each : program.bodies().of(method.name()).code()) {
      boolean copies =
          switch (each) {
            case MethodInsnNode call -> isOfObject(call.owner, call.name + call.desc, program);
            case LdcInsnNode name -> name.cst.equals("clone"); // For a lookup by name.
            case InvokeDynamicInsnNode dynamic ->
                Stream.of(dynamic.bsmArgs)
                    .anyMatch(
                        of ->
                            of instanceof Handle handle
                                && isOfObject(
                                    handle.getOwner(),
                                    handle.getName() + handle.getDesc(),
                                    program));
            default -> false;
          };
      if (copies) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfObject(String owner, String signature, WholeProgram program) {
    if (!signature.equals(CLONE)) {
      return false;
    }
    for (String at = owner; at != null; at = program.hierarchy().superName(at)) {
      Optional<ClassFile> type = program.hierarchy().type(at);
      if (at.equals(TypeHierarchy.OBJECT)
          || (type.isEmpty() && !at.startsWith("[") && !program.hierarchy().isKnown(at))) {
        return true;
      }
      if (type.isEmpty() || type.get().methods().containsKey(CLONE)) {
        return false; // The JDK's, an array's, or one that is checked itself.
      }
    }
    return true;
  }
}
