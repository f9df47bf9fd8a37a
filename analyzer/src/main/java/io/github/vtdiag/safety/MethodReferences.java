package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.H_INVOKESTATIC;

import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;

/**
 * The places that refer to a method which needs a monitor, as {@code this::notifyAll} does, without
 * calling it. The final caller, and when it calls, are unknown here.
 */
final class MethodReferences {
  /** A method reference, and everything that the object can be. */
  private record Reference(MethodName method, int line, String to, Set<Pointee> pointees) {}

  private final UseIndex uses;
  private final Bodies bodies;
  private final PointsTo pointsTo;
  private List<Reference> references;

  MethodReferences(UseIndex uses, Bodies bodies, PointsTo pointsTo) {
    this.uses = uses;
    this.bodies = bodies;
    this.pointsTo = pointsTo;
  }

  static Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    Aliasing aliasing = program.aliasing();
    return switch (lock) {
      case LockGroup.Instances of -> {
        Set<String> tree = program.hierarchy().subtree(of.top());
        yield program
            .references()
            .to(
                pointee -> aliasing.mayBeIn(pointee, tree),
                "an instance of " + ShortNames.simple(of.top()));
      }
      case LockGroup.ClassObject of ->
          program
              .references()
              .to(
                  pointee -> aliasing.mayBeClassObject(pointee, of.type()),
                  ShortNames.simple(of.type()) + ".class");
      // A reference to a method of the object lets it out of the field.
      case LockGroup.OfField of -> Optional.empty();
      case LockGroup.OfVariable of -> Optional.empty();
      case LockGroup.Unmovable none -> Optional.empty();
    };
  }

  private Optional<Refusal> to(Predicate<Pointee> may, String object) {
    if (references == null) {
      references = find();
    }
    return references.stream()
        .filter(each -> each.pointees().stream().anyMatch(may))
        .findFirst()
        .flatMap(
            each ->
                Refusal.of(
                    RefusalReason.METHOD_REFERENCE,
                    ShortNames.where(each.method(), each.line())
                        + " refers to the method "
                        + each.to()
                        + ", which needs the monitor, perhaps of "
                        + object));
  }

  private List<Reference> find() {
    List<Reference> found = new ArrayList<>();
    for (String signature : MonitorUses.NEED_A_MONITOR) {
      for (MethodName user : uses.callers(signature)) {
        Body body = bodies.of(user);
        for (AbstractInsnNode each : body.code()) {
          switch (each) {
            case InvokeDynamicInsnNode dynamic -> addDynamic(body, dynamic, signature, found);
            case LdcInsnNode ldc when needsMonitor(ldc.cst, signature) ->
                add(body, each, signature, anything(), found);
            default -> {}
          }
        }
      }
    }
    return found;
  }

  private void addDynamic(
      Body body, InvokeDynamicInsnNode dynamic, String signature, List<Reference> found) {
    for (Object argument : dynamic.bsmArgs) {
      if (needsMonitor(argument, signature)) {
        boolean isLambda = dynamic.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory");
        add(body, dynamic, signature, isLambda ? receiver(body, dynamic) : anything(), found);
      }
    }
  }

  /** Returns the method of the object that a lambda calls, if it is one that needs a monitor. */
  static Optional<String> name(InvokeDynamicInsnNode lambda) {
    return MonitorUses.NEED_A_MONITOR.stream()
        .filter(each -> Arrays.stream(lambda.bsmArgs).anyMatch(arg -> needsMonitor(arg, each)))
        .map(MethodReferences::name)
        .findFirst();
  }

  private static String name(String signature) {
    return signature.substring(0, signature.indexOf('('));
  }

  /**
   * Returns the objects to which a reference is bound, or those that its interface declares as the
   * argument.
   */
  private Set<Pointee> receiver(Body body, InvokeDynamicInsnNode lambda) {
    List<Origins> captured = body.arguments(lambda, lambda.desc, false);
    if (!captured.isEmpty()) {
      return pointsTo.of(body, captured.getFirst());
    }
    Type[] given =
        lambda.bsmArgs.length > 2 && lambda.bsmArgs[2] instanceof Type type
            ? type.getArgumentTypes()
            : new Type[0];
    return given.length > 0 && given[0].getSort() == Type.OBJECT
        ? Set.of(new Pointee.AtMost(given[0].getInternalName()))
        : anything();
  }

  private static Set<Pointee> anything() {
    return Set.of(new Pointee.AtMost(TypeHierarchy.OBJECT));
  }

  private static boolean needsMonitor(Object constant, String signature) {
    return switch (constant) {
      case Handle handle ->
          signature.equals(handle.getName() + handle.getDesc())
              && (handle.getTag() != H_INVOKESTATIC
                  || handle.getOwner().equals("java/lang/Thread"));
      case ConstantDynamic dynamic -> {
        Set<Object> arguments = new LinkedHashSet<>();
        for (int i = 0; i < dynamic.getBootstrapMethodArgumentCount(); i++) {
          arguments.add(dynamic.getBootstrapMethodArgument(i));
        }
        yield arguments.stream().anyMatch(each -> needsMonitor(each, signature));
      }
      default -> false;
    };
  }

  private static void add(
      Body body,
      AbstractInsnNode at,
      String signature,
      Set<Pointee> pointees,
      List<Reference> found) {
    found.add(new Reference(body.method, body.line(at), name(signature), pointees));
  }
}
