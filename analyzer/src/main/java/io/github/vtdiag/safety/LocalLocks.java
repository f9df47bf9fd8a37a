package io.github.vtdiag.safety;

import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * The objects that a method creates for a local variable in order to lock them. That method and its
 * lambdas only lock them, so no other code can.
 */
final class LocalLocks {
  private final TypeHierarchy hierarchy;
  private final Bodies bodies;

  LocalLocks(TypeHierarchy hierarchy, Bodies bodies) {
    this.hierarchy = hierarchy;
    this.bodies = bodies;
  }

  /** Returns where the object that a place locks is created, if it is such an object. */
  Optional<Target.OfVariable> of(Body body, Origins locked) {
    return creation(body, locked)
        .filter(made -> isOnlyLocked(bodies.of(made.method()), made, new HashSet<>()));
  }

  private Optional<Target.OfVariable> creation(Body body, Origins locked) {
    if (locked.all().size() != 1) {
      return Optional.empty();
    }
    Origin origin = locked.all().iterator().next();
    if (origin.instruction() instanceof TypeInsnNode made) {
      return made.getOpcode() == Opcodes.NEW && made.desc.equals(TypeHierarchy.OBJECT)
          ? Optional.of(new Target.OfVariable(body.method, body.index(made)))
          : Optional.empty();
    }
    return origin.isParameter() && isLambda(body.method)
        ? captured(body, body.position(origin.slot()))
        : Optional.empty();
  }

  /**
   * Finds the value that a lambda captures for a parameter of its method, if one place creates the
   * lambda.
   */
  private Optional<Target.OfVariable> captured(Body lambda, int position) {
    Optional<Target.OfVariable> found = Optional.empty();
    ClassFile type = hierarchy.type(lambda.method.owner()).orElseThrow();
    for (ClassFile.Method method : type.methods().values()) {
      Body body = bodies.of(method.name());
      for (AbstractInsnNode each : body.code()) {
        if (each instanceof InvokeDynamicInsnNode made
            && lambda.method.equals(implementation(made))) {
          if (found.isPresent() || position >= Type.getArgumentCount(made.desc)) {
            return Optional.empty();
          }
          found = creation(body, body.given(made).get(position));
          if (found.isEmpty()) {
            return found;
          }
        }
      }
    }
    return found;
  }

  private boolean isOnlyLocked(Body body, Target.OfVariable made, Set<Object> seen) {
    AbstractInsnNode creation = body.instruction(made.index());
    return isOnlyLocked(body, origins -> origins.isFrom(creation), seen);
  }

  private boolean isOnlyLocked(Body body, Predicate<Origins> alias, Set<Object> seen) {
    return body.isKnown()
        && body.instructions().stream().allMatch(use -> isLocking(body, alias, use, seen));
  }

  /** Returns whether an instruction locks the object or does not use it. */
  private boolean isLocking(
      Body body, Predicate<Origins> alias, AbstractInsnNode use, Set<Object> seen) {
    return switch (use) {
      case InvokeDynamicInsnNode made -> areOnlyLocked(body, alias, made, seen);
      case MethodInsnNode call ->
          (call.name.equals("<init>") && call.owner.equals(TypeHierarchy.OBJECT))
              || body.given(call).stream().noneMatch(alias);
      default ->
          switch (use.getOpcode()) {
            case Opcodes.MONITORENTER ->
                !alias.test(body.operand(use, 0)) || body.operand(use, 0).all().size() == 1;
            case Opcodes.ARETURN,
                Opcodes.ATHROW,
                Opcodes.AASTORE,
                Opcodes.PUTFIELD,
                Opcodes.PUTSTATIC,
                Opcodes.CHECKCAST,
                Opcodes.INSTANCEOF ->
                !alias.test(body.operand(use, 0));
            default -> true; // It is copied or compared.
          };
    };
  }

  private boolean areOnlyLocked(
      Body body, Predicate<Origins> alias, InvokeDynamicInsnNode made, Set<Object> seen) {
    MethodName lambda = implementation(made);
    int position = 0;
    int slot = 0;
    Type[] types = Type.getArgumentTypes(made.desc);
    for (Origins given : body.given(made)) {
      if (alias.test(given)) {
        if (lambda == null || !isLambda(lambda) || !lambda.owner().equals(body.method.owner())) {
          return false;
        }
        int parameter = slot;
        if (seen.add(List.of(lambda, slot))
            && !isOnlyLocked(
                bodies.of(lambda),
                origins -> origins.all().stream().anyMatch(each -> each.slot() == parameter),
                seen)) {
          return false;
        }
      }
      slot += types[position++].getSize();
    }
    return true;
  }

  /** Returns whether the compiler made the method for a lambda, so that nothing else calls it. */
  private boolean isLambda(MethodName method) {
    return method.name().startsWith("lambda$")
        && hierarchy
            .method(method)
            .filter(known -> known.has(Opcodes.ACC_SYNTHETIC) && known.has(Opcodes.ACC_PRIVATE))
            .isPresent();
  }

  /**
   * Returns the method that a lambda or a method reference runs; null for any other such
   * instruction.
   */
  private static MethodName implementation(InvokeDynamicInsnNode made) {
    return made.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")
            && made.bsmArgs.length > 1
            && made.bsmArgs[1] instanceof Handle of
        ? new MethodName(of.getOwner(), of.getName(), of.getDesc())
        : null;
  }
}
