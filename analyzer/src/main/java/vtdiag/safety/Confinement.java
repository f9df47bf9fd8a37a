package vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import vtdiag.program.ClassFile.Field;
import vtdiag.program.FieldName;
import vtdiag.program.MethodName;
import vtdiag.program.Program;
import vtdiag.program.TypeHierarchy;
import vtdiag.program.UseIndex;

/**
 * Whether the object in a field is locked by those who read that field and by nobody else: the
 * field is private and final, it holds an object made for it, and that object never gets out.
 */
final class Confinement {

  /** What a field is good for. */
  sealed interface Verdict {
    /** Nobody else has its object. */
    record Confined(Lock.Keeper keeper) implements Verdict {}

    /** Others may have it. */
    record Leaks(Rung rung, String reason) implements Verdict {}
  }

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final PointsTo pointsTo;
  private final Map<FieldName, Verdict> verdicts = new ConcurrentHashMap<>();

  Confinement(Program program, Bodies bodies, PointsTo pointsTo) {
    this.hierarchy = program.hierarchy();
    this.uses = program.uses();
    this.bodies = bodies;
    this.pointsTo = pointsTo;
  }

  Verdict verdict(Field field) {
    Verdict verdict = verdicts.get(field.name());
    if (verdict == null) {
      verdict = new FieldExamination(field, hierarchy, this, bodies, pointsTo).verdict();
      verdicts.put(field.name(), verdict);
    }
    return verdict;
  }

  boolean isConfined(Field field) {
    // Only the verdict has to name the first reason against it.
    return field.has(ACC_FINAL)
        && field.has(ACC_PRIVATE)
        && verdict(field) instanceof Verdict.Confined;
  }

  /** The methods that read or write a field, themselves or by an accessor. */
  Set<MethodName> users(Field field) {
    Set<MethodName> methods = new LinkedHashSet<>(uses.fieldUsers(field.name()));
    for (MethodName method : List.copyOf(methods)) {
      if (method.name().startsWith("access$")) {
        methods.addAll(uses.callers(method.signature()));
      }
    }
    return methods;
  }
}
