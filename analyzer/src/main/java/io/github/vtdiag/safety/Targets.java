package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_FINAL;

import io.github.vtdiag.model.Article;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Finds the object that a place locks, by the origins of the reference. */
final class Targets {
  /** Methods of a map that return a value of it. */
  private static final Set<String> VALUES_OF_MAP =
      Set.of("get", "getOrDefault", "compute", "computeIfAbsent", "computeIfPresent");

  private final TypeHierarchy hierarchy;
  private final PointsTo pointsTo;
  private final Confinement confinement;
  private final Implementations implementations;
  private final LocalLocks locals;

  Targets(
      TypeHierarchy hierarchy,
      PointsTo pointsTo,
      Confinement confinement,
      Implementations implementations,
      LocalLocks locals) {
    this.locals = locals;
    this.implementations = implementations;
    this.hierarchy = hierarchy;
    this.pointsTo = pointsTo;
    this.confinement = confinement;
  }

  /**
   * @param expression how the source names it
   */
  Target of(Body body, Origins locked, String expression) {
    if (locked.all().isEmpty()) {
      return new Target.None(
          RefusalReason.UNRESOLVED, ShortNames.text(body.method) + " locks null");
    }
    Optional<Target.OfVariable> local = locals.of(body, locked);
    if (local.isPresent()) {
      return local.get();
    }
    Set<Target> targets = new LinkedHashSet<>();
    for (Origin origin : locked.all()) {
      targets.add(target(body, origin, expression));
    }
    if (targets.size() == 1) {
      return targets.iterator().next();
    }
    return targets.stream()
        .filter(Target.None.class::isInstance)
        .findFirst()
        .orElse(
            new Target.None(
                RefusalReason.UNRESOLVED,
                "the block in "
                    + ShortNames.text(body.method)
                    + " locks different objects on different paths"));
  }

  private Target target(Body body, Origin origin, String expression) {
    AbstractInsnNode from = origin.instruction();
    String where = " in " + ShortNames.text(body.method);
    if (from instanceof LdcInsnNode ldc) {
      return ldc.cst instanceof Type type
          ? new Target.ClassObject(type.getInternalName())
          : new Target.None(
              RefusalReason.INTERNED_STRING,
              ShortNames.text(body.method) + " locks a constant, which any code can lock");
    }
    Optional<Field> field =
        from == null
            ? origin.isParameter()
                ? confinement.parameter(body.method, origin.slot())
                : Optional.empty()
            : pointsTo.fieldRead(from).flatMap(read -> hierarchy.field(read.owner, read.name));
    Optional<String> ownType =
        isClassOfProgram(origin.type())
            ? Optional.of(origin.type())
            : implementations.commonClass(origin.type());
    if (field.isPresent() && (ownType.isEmpty() || confinement.isConfined(field.get()))) {
      return new Target.OfField(field.get());
    }
    if (ownType.isPresent()) {
      return new Target.Instance(ownType.get());
    }
    if (hierarchy.isValueBased(origin.type())) {
      return new Target.None(
          RefusalReason.VALUE_BASED,
          ShortNames.text(body.method)
              + " locks an instance of the value-based class "
              + ShortNames.simple(origin.type()));
    }
    Optional<String> locking = hierarchy.lockingJdkAncestor(origin.type());
    if (locking.isPresent()) {
      return new Target.None(
          jdkLock(locking.get(), hierarchy),
          expression
              + where
              + " is also locked by the JDK's own code: it is "
              + Article.with(locking.get()));
    }
    if (from instanceof FieldInsnNode read && hierarchy.isKnown(read.owner)) {
      return new Target.None(
          RefusalReason.JDK_LOCKS,
          ShortNames.text(body.method)
              + " locks the field "
              + read.name
              + " of "
              + ShortNames.simple(read.owner));
    }
    if (from instanceof MethodInsnNode call) {
      if (call.name.equals("getClass") && call.desc.startsWith("()")) {
        return new Target.None(
            RefusalReason.GET_CLASS,
            "getClass()"
                + where
                + (isOfFinalClass(body, call)
                    ? " gives one class, which has no subclasses: lock its .class instead, and the"
                        + " patch replaces it"
                    : " returns a different object in each subclass"));
      }
      if (call.owner.equals("java/lang/String") && call.name.equals("intern")) {
        return new Target.None(
            RefusalReason.INTERNED_STRING,
            ShortNames.text(body.method) + " locks an interned string");
      }
      if (hierarchy.isSubtype(call.owner, "java/util/Map") && VALUES_OF_MAP.contains(call.name)) {
        return new Target.None(
            RefusalReason.VALUE_OF_MAP,
            ShortNames.text(body.method)
                + " locks a value of a map, and which values the map has could not be determined");
      }
      if (call.owner.equals("java/util/Collections") && call.name.startsWith("synchronized")) {
        return new Target.None(
            RefusalReason.JDK_COLLECTION,
            ShortNames.text(body.method)
                + " locks what Collections."
                + call.name
                + "() returned, which locks itself");
      }
    }
    Optional<ClassFile> own = hierarchy.type(origin.type());
    if (own.isPresent() && own.get().isInterface()) {
      return new Target.None(
          RefusalReason.INTERFACE,
          expression
              + where
              + " is only known as the interface "
              + ShortNames.simple(origin.type())
              + ", which cannot have a lock field");
    }
    return new Target.None(
        RefusalReason.UNRESOLVED,
        expression + where + ": which object this is could not be determined");
  }

  /**
   * Returns the reason to refuse a lock that methods of the JDK take.
   *
   * @param type its class, with dots
   */
  static RefusalReason jdkLock(String type, TypeHierarchy hierarchy) {
    String name = type.replace('.', '/');
    return hierarchy.isSubtype(name, "java/util/Collection")
            || hierarchy.isSubtype(name, "java/util/Map")
        ? RefusalReason.JDK_COLLECTION
        : RefusalReason.JDK_LOCKS;
  }

  private boolean isClassOfProgram(String name) {
    return hierarchy.type(name).filter(type -> !type.isInterface()).isPresent();
  }

  private boolean isOfFinalClass(Body body, MethodInsnNode getClass) {
    Set<String> receivers = new LinkedHashSet<>();
    body.operand(getClass, 0).all().forEach(each -> receivers.add(each.type()));
    return receivers.size() == 1
        && hierarchy.type(receivers.iterator().next()).filter(of -> of.has(ACC_FINAL)).isPresent();
  }
}
