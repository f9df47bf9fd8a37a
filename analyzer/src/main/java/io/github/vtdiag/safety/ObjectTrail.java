package io.github.vtdiag.safety;

import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Follows the object of a field through methods: its uses, and the places where it gets out. */
final class ObjectTrail {
  private final FieldExamination field;

  /** Tells whether the object is used as something else than a lock. */
  private boolean holdsData;

  private final Confinement confinement;
  private final Bodies bodies;

  /** The private methods that were followed into, each with the parameter's slot. */
  private final Set<List<Object>> helpers = new HashSet<>();

  ObjectTrail(FieldExamination field, Confinement confinement, Bodies bodies) {
    this.field = field;
    this.confinement = confinement;
    this.bodies = bodies;
  }

  boolean holdsData() {
    return holdsData;
  }

  /** Follows every use of the object that an instruction pushed. */
  void follow(Body body, AbstractInsnNode source) {
    follow(body, origins -> origins.isFrom(source));
  }

  private void follow(Body body, Predicate<Origins> source) {
    Set<AbstractInsnNode> aliases = new HashSet<>();
    List<Predicate<Origins>> next = new ArrayList<>(List.of(source));
    while (!next.isEmpty()) {
      Predicate<Origins> alias = next.removeLast();
      for (AbstractInsnNode use : body.instructions()) {
        if (use(body, alias, use) && aliases.add(use)) {
          next.add(origins -> origins.isFrom(use));
        }
      }
    }
  }

  /** Follows the object into a private method that is never passed anything else there. */
  private boolean followInto(MethodInsnNode call, int position) {
    MethodName called = new MethodName(call.owner, call.name, call.desc);
    int slot = call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1;
    Type[] types = Type.getArgumentTypes(call.desc);
    for (int i = 0; i < position - (call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1); i++) {
      slot += types[i].getSize();
    }
    int parameter = slot;
    if (confinement.parameter(called, slot).filter(field.field()::equals).isEmpty()) {
      return false;
    }
    if (helpers.add(List.of(called, slot))) {
      follow(
          bodies.of(called),
          origins -> origins.all().stream().anyMatch(origin -> origin.slot() == parameter));
    }
    return true;
  }

  /** Notes one use; returns whether the instruction may push the object itself. */
  private boolean use(Body body, Predicate<Origins> alias, AbstractInsnNode use) {
    String where = " in " + ShortNames.text(body.method);
    switch (use) {
      case MethodInsnNode call -> {
        List<Origins> arguments = body.arguments(call);
        boolean isReceiver =
            call.getOpcode() != Opcodes.INVOKESTATIC && alias.test(arguments.getFirst());
        for (int i = isReceiver ? 1 : 0; i < arguments.size(); i++) {
          if (alias.test(arguments.get(i))
              && (Copies.isCopied(call, arguments) || isPrinted(call))) {
            holdsData = true;
          } else if (alias.test(arguments.get(i))
              && !(call.owner.equals("java/lang/Thread") && call.name.equals("holdsLock"))
              && !isNullCheck(call)
              && !followInto(call, i)) {
            field.refuse(
                field.escapes(
                    "is passed to "
                        + ShortNames.simple(call.owner)
                        + "."
                        + call.name
                        + "()"
                        + where));
          }
        }
        if (call.name.equals("holdsLock") || (isReceiver && isMonitorMethod(call))) {
          needsMonitor(body, alias, arguments.getFirst());
        }
        if (!isReceiver || call.name.equals("<init>") || isObjectMethod(call)) {
          return false;
        }
        holdsData = true;
        Type returned = Type.getReturnType(call.desc);
        return returned.getSort() == Type.OBJECT
            && !returned.getInternalName().equals(TypeHierarchy.OBJECT)
            && field.mayBe(returned.getInternalName());
      }
      case InvokeDynamicInsnNode text
          when text.bsm.getOwner().equals("java/lang/invoke/StringConcatFactory") ->
          holdsData |= body.arguments(text, text.desc, false).stream().anyMatch(alias);
      case InvokeDynamicInsnNode lambda -> {
        if (body.arguments(lambda, lambda.desc, false).stream().anyMatch(alias)) {
          field.refuse(
              MethodReferences.name(lambda)
                  .map(method -> field.isReferredTo(method, where))
                  .orElseGet(() -> field.escapes("is captured by a lambda" + where)));
        }
      }
      case FieldInsnNode access -> {
        boolean isOwnPut = FieldExamination.isPut(access) && field.isAccess(access);
        if (FieldExamination.isPut(access) && !isOwnPut && alias.test(body.operand(access, 0))) {
          field.refuse(
              field.escapes(
                  "is stored in " + ShortNames.simple(access.owner) + "." + access.name + where));
        }
        boolean isReceiver =
            (access.getOpcode() == Opcodes.GETFIELD && alias.test(body.operand(access, 0)))
                || (access.getOpcode() == Opcodes.PUTFIELD && alias.test(body.operand(access, 1)));
        holdsData |= isReceiver;
      }
      default -> {
        switch (use.getOpcode()) {
          case Opcodes.ARETURN -> {
            if (alias.test(body.operand(use, 0))) {
              field.refuse(field.escapes("is returned by " + ShortNames.text(body.method)));
            }
          }
          case Opcodes.ATHROW -> {
            if (alias.test(body.operand(use, 0))) {
              field.refuse(field.escapes("is thrown" + where));
            }
          }
          case Opcodes.AASTORE -> {
            if (alias.test(body.operand(use, 0))) {
              field.refuse(field.escapes("is stored in an array" + where));
            }
            holdsData |= alias.test(body.operand(use, 2));
          }
          case Opcodes.IASTORE,
              Opcodes.LASTORE,
              Opcodes.FASTORE,
              Opcodes.DASTORE,
              Opcodes.BASTORE,
              Opcodes.CASTORE,
              Opcodes.SASTORE ->
              holdsData |= alias.test(body.operand(use, 2));
          case Opcodes.AALOAD,
              Opcodes.IALOAD,
              Opcodes.LALOAD,
              Opcodes.FALOAD,
              Opcodes.DALOAD,
              Opcodes.BALOAD,
              Opcodes.CALOAD,
              Opcodes.SALOAD ->
              holdsData |= alias.test(body.operand(use, 1));
          case Opcodes.MONITORENTER -> needsMonitor(body, alias, body.operand(use, 0));
          case Opcodes.ARRAYLENGTH -> holdsData |= alias.test(body.operand(use, 0));
          default -> {} // It is copied, compared or locked.
        }
      }
    }
    return false;
  }

  /**
   * Returns whether the call checks for null and drops the result, as javac has it for {@code
   * x::m}.
   */
  private static boolean isNullCheck(MethodInsnNode call) {
    return call.owner.equals("java/util/Objects")
        && call.name.equals("requireNonNull")
        && call.getNext().getOpcode() == Opcodes.POP;
  }

  /**
   * Returns whether a call only uses the object's {@code toString}: an object that must print as
   * before stays in its field.
   */
  private static boolean isPrinted(MethodInsnNode call) {
    return switch (call.owner) {
      case "java/lang/StringBuilder", "java/lang/StringBuffer" ->
          call.name.equals("append") && call.desc.startsWith("(Ljava/lang/Object;)");
      case "java/lang/String" ->
          call.name.equals("valueOf") && call.desc.startsWith("(Ljava/lang/Object;)");
      default -> false;
    };
  }

  /**
   * Refuses the field if a place may also need the monitor of another object: such a place stays,
   * so the object has to stay.
   */
  private void needsMonitor(Body body, Predicate<Origins> alias, Origins locked) {
    if (alias.test(locked) && !locked.all().stream().allMatch(origin -> isField(body, origin))) {
      field.refuse(field.escapes("is locked as something else in " + ShortNames.text(body.method)));
    }
  }

  private boolean isField(Body body, Origins.Origin origin) {
    return origin.instruction() == null
        ? origin.isParameter()
            && confinement
                .parameter(body.method, origin.slot())
                .filter(field.field()::equals)
                .isPresent()
        : field.isAccess(origin.instruction()) && !FieldExamination.isPut(origin.instruction());
  }

  private static boolean isMonitorMethod(MethodInsnNode call) {
    return switch (call.name) {
      case "wait", "notify", "notifyAll" -> isObjectMethod(call);
      default -> false;
    };
  }

  private static boolean isObjectMethod(MethodInsnNode call) {
    return call.owner.equals(TypeHierarchy.OBJECT);
  }
}
