package io.github.vtdiag.safety;

import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.FieldName;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Decides whether only those who read a field lock its object. That is so if the field is assigned
 * once, to an object made for it, and that object never gets out.
 */
final class Confinement {

  /** The result for one field. */
  sealed interface Verdict {
    /** The field's object is confined: no other code has it. */
    record Confined(Lock.Keeper keeper) implements Verdict {}

    /** The field's object may be known to other code. */
    record Leaks(RefusalReason rung, String reason) implements Verdict {}
  }

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final PointsTo pointsTo;
  private final FieldReaders readers;
  private final HelperParameters helpers;
  private final Map<FieldName, Verdict> verdicts = new ConcurrentHashMap<>();

  Confinement(Program program, Bodies bodies, PointsTo pointsTo) {
    this.hierarchy = program.hierarchy();
    this.uses = program.uses();
    this.bodies = bodies;
    this.pointsTo = pointsTo;
    this.readers = new FieldReaders(hierarchy);
    this.helpers = new HelperParameters(hierarchy, uses, bodies);
  }

  Verdict verdict(Field field) {
    Verdict verdict = verdicts.get(field.name());
    if (verdict == null) {
      verdict = new FieldExamination(field, hierarchy, readers, this, bodies, pointsTo).verdict();
      verdicts.put(field.name(), verdict);
    }
    return verdict;
  }

  boolean isConfined(Field field) {
    return verdict(field) instanceof Verdict.Confined;
  }

  /** Returns the field that a parameter of a private method always is. */
  Optional<Field> parameter(MethodName method, int slot) {
    return helpers.field(method, slot);
  }

  /**
   * Returns the methods that read or write a field: themselves, by an accessor, or as a parameter.
   */
  Set<MethodName> users(Field field) {
    Set<MethodName> methods = new LinkedHashSet<>(uses.fieldUsers(field.name()));
    for (MethodName method : List.copyOf(methods)) {
      if (method.name().startsWith("access$")) {
        methods.addAll(uses.callers(method.signature()));
      }
      methods.addAll(helpersOf(method, field));
    }
    return methods;
  }

  /** Returns the private methods that a method passes the object in a field to. */
  private List<MethodName> helpersOf(MethodName user, Field field) {
    Body body = bodies.of(user);
    List<MethodName> found = new ArrayList<>();
    for (AbstractInsnNode each : body.code()) {
      if (each instanceof MethodInsnNode call && call.owner.equals(user.owner())) {
        MethodName called = new MethodName(call.owner, call.name, call.desc);
        int slot = call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1;
        for (Type type : Type.getArgumentTypes(call.desc)) {
          if (type.getSort() == Type.OBJECT
              && parameter(called, slot).filter(field::equals).isPresent()) {
            found.add(called);
          }
          slot += type.getSize();
        }
      }
    }
    return found;
  }
}
