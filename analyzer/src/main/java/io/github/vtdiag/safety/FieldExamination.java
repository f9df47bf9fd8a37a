package io.github.vtdiag.safety;

import io.github.vtdiag.model.Article;
import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** The examination of everything that is done with one field. */
final class FieldExamination {
  private final TypeHierarchy hierarchy;
  private final Confinement confinement;
  private final Bodies bodies;
  private final PointsTo pointsTo;
  private final Field field;
  private final String name;

  /** The classes of the objects put into it. */
  private final Set<String> created = new LinkedHashSet<>();

  private final ObjectTrail trail;

  private Confinement.Verdict refusal;

  /** Tells whether the field may be null: null is put into it, or a constructor leaves it unset. */
  private boolean mayBeNull;

  private final FieldReaders readers;

  FieldExamination(
      Field field,
      TypeHierarchy hierarchy,
      FieldReaders readers,
      Confinement confinement,
      Bodies bodies,
      PointsTo pointsTo) {
    this.hierarchy = hierarchy;
    this.readers = readers;
    this.confinement = confinement;
    this.bodies = bodies;
    this.pointsTo = pointsTo;
    this.trail = new ObjectTrail(this, confinement, bodies);
    this.field = field;
    this.name = ShortNames.text(field.name());
  }

  Confinement.Verdict verdict() {
    String declared = Type.getType(field.descriptor()).getInternalName();
    if (field.constant() != null) {
      return new Confinement.Verdict.Leaks(
          RefusalReason.INTERNED_STRING, name + " holds a constant, which any code can lock");
    }
    if (hierarchy.isValueBased(declared)) {
      return new Confinement.Verdict.Leaks(
          RefusalReason.VALUE_BASED,
          name
              + " holds "
              + Article.with(ShortNames.simple(declared))
              + ": equal values may be one object or several");
    }
    Optional<String> locking = hierarchy.lockingJdkAncestor(declared);
    if (locking.isPresent()) {
      return jdkLocks(Targets.jdkLock(locking.get(), hierarchy), locking.get());
    }
    List<Body> users =
        confinement.users(field).stream().map(bodies::of).filter(this::hasAccess).toList();
    SingleAssignment assignment = new SingleAssignment(field, hierarchy);
    Optional<String> again = Optional.empty();
    for (Body body : users) {
      List<AbstractInsnNode> puts =
          body.instructions().stream().filter(each -> isAccess(each) && isPut(each)).toList();
      puts.forEach(each -> put(body, (FieldInsnNode) each));
      again = again.or(() -> assignment.refuse(body, puts));
    }
    if (refusal != null) {
      return refusal;
    }
    if (again.isPresent()) {
      return new Confinement.Verdict.Leaks(
          RefusalReason.NOT_FINAL,
          name
              + " is not final and "
              + again.get()
              + ", so two threads may lock different objects");
    }
    if (assignment.isAnnotated()) {
      return new Confinement.Verdict.Leaks(
          RefusalReason.NOT_FINAL,
          name + " is not final, and whoever reads its annotations may assign another object");
    }
    mayBeNull |= assignment.mayBeUnset(bodies);
    if (created.isEmpty()) {
      return escapes("is never assigned an object created for it");
    }
    for (Body body : users) {
      if (!body.isKnown()) {
        return escapes(
            "is used in " + ShortNames.text(body.method) + ", whose code could not be analyzed");
      }
      for (AbstractInsnNode each : body.instructions()) {
        if (isAccess(each) && !isPut(each) && body.accessedField().isEmpty()) {
          trail.follow(body, each);
        }
      }
    }
    return refusal != null ? refusal : owned();
  }

  private Confinement.Verdict owned() {
    for (String type : created) {
      if (type.equals(TypeHierarchy.OBJECT)) {
        continue;
      }
      if (hierarchy.type(type).isPresent() && (trail.holdsData() || !isEmptyClass(type))) {
        return escapes(
            "holds "
                + Article.with(ShortNames.simple(type))
                + ", whose own methods may lock it or pass it on");
      }
    }
    boolean onlyLock =
        !trail.holdsData()
            && created.stream()
                .allMatch(
                    type ->
                        type.equals(TypeHierarchy.OBJECT)
                            || type.startsWith("[")
                            || hierarchy.type(type).isPresent());
    return mayBeNull
        ? new Confinement.Verdict.Leaks(
            RefusalReason.UNRESOLVED,
            name + " may be null, which throws NullPointerException where it is locked")
        : new Confinement.Verdict.Confined(
            onlyLock && !readers.mayRead(field) ? Lock.Keeper.SAME_FIELD : Lock.Keeper.NEW_FIELD);
  }

  /** Returns whether creating an instance runs no constructor but Object's. */
  private boolean isEmptyClass(String type) {
    if (!TypeHierarchy.OBJECT.equals(hierarchy.superName(type))) {
      return false;
    }
    return hierarchy.type(type).orElseThrow().methods().values().stream()
        .filter(method -> method.name().name().equals("<init>"))
        .map(method -> bodies.of(method.name()))
        .allMatch(
            body ->
                body.isKnown()
                    && body.instructions().stream()
                        .noneMatch(
                            each ->
                                each instanceof InvokeDynamicInsnNode
                                    || (each instanceof FieldInsnNode put
                                        && isPut(put)
                                        && body.operand(put, 0).all().stream()
                                            .anyMatch(origin -> origin.slot() == 0))
                                    || (each instanceof MethodInsnNode call
                                        && !call.owner.equals(TypeHierarchy.OBJECT)
                                        && !call.name.equals("<init>"))));
  }

  private boolean hasAccess(Body body) {
    for (AbstractInsnNode each : body.code()) {
      if (isAccess(each)) {
        return true;
      }
    }
    return false;
  }

  boolean isAccess(AbstractInsnNode instruction) {
    return pointsTo
        .fieldRead(instruction)
        .filter(access -> access.name.equals(field.name().name()))
        .flatMap(access -> hierarchy.field(access.owner, access.name))
        .filter(field::equals)
        .isPresent();
  }

  static boolean isPut(AbstractInsnNode instruction) {
    return instruction.getOpcode() == Opcodes.PUTFIELD
        || instruction.getOpcode() == Opcodes.PUTSTATIC;
  }

  private void put(Body body, FieldInsnNode put) {
    mayBeNull |= body.mayBeNull(put);
    for (Origin origin : body.operand(put, 0).all()) {
      AbstractInsnNode from = origin.instruction();
      int opcode = from == null ? -1 : from.getOpcode();
      switch (opcode) {
        case Opcodes.NEW, Opcodes.ANEWARRAY, Opcodes.NEWARRAY, Opcodes.MULTIANEWARRAY -> {
          Optional<String> locking = hierarchy.lockingJdkAncestor(origin.type());
          if (locking.isPresent()) {
            refuse(jdkLocks(Targets.jdkLock(locking.get(), hierarchy), locking.get()));
          } else {
            created.add(origin.type());
            trail.follow(body, from);
          }
        }
        case Opcodes.LDC ->
            refuse(
                ((LdcInsnNode) from).cst instanceof String
                    ? new Confinement.Verdict.Leaks(
                        RefusalReason.INTERNED_STRING,
                        name + " holds a string literal, which any code can lock")
                    : escapes("holds a constant, which any code can lock"));
        default -> {
          if (from instanceof MethodInsnNode call
              && call.owner.equals("java/util/Collections")
              && call.name.startsWith("synchronized")) {
            refuse(
                jdkLocks(
                    RefusalReason.JDK_COLLECTION, "what Collections." + call.name + "() returns"));
          } else {
            refuse(
                escapes(
                    "is assigned an object in "
                        + ShortNames.text(body.method)
                        + " that comes from elsewhere"
                        + (isThis(body, origin)
                            ? " (this)"
                            : origin.isParameter() ? " (a parameter)" : "")));
          }
        }
      }
    }
  }

  private static boolean isThis(Body body, Origin origin) {
    return body.method.name().equals("<init>") && origin.slot() == 0;
  }

  private Confinement.Verdict jdkLocks(RefusalReason rung, String type) {
    return new Confinement.Verdict.Leaks(
        rung, name + " holds an object that the JDK's own code locks too: " + type);
  }

  Confinement.Verdict escapes(String how) {
    return new Confinement.Verdict.Leaks(RefusalReason.ESCAPES, name + " " + how);
  }

  /**
   * Returns the refusal of a field of whose object a method that needs the monitor is referred to.
   */
  Confinement.Verdict isReferredTo(String method, String where) {
    return new Confinement.Verdict.Leaks(
        RefusalReason.METHOD_REFERENCE,
        "a reference" + where + " to the method " + method + " needs the monitor of " + name);
  }

  void refuse(Confinement.Verdict because) {
    if (refusal == null) {
      refusal = because;
    }
  }

  Field field() {
    return field;
  }

  /** Returns whether one of the objects put into the field can be of a type. */
  boolean mayBe(String type) {
    return created.stream().anyMatch(each -> hierarchy.isSubtype(each, type));
  }
}
