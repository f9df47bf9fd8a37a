package vtdiag.safety;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import vtdiag.program.TypeHierarchy;

/** Follows the object of a field through a method: what is done with it, and where it gets out. */
final class ObjectTrail {
  private final FieldExamination field;

  /** It is used as something else than a lock. */
  private boolean holdsData;

  ObjectTrail(FieldExamination field) {
    this.field = field;
  }

  boolean holdsData() {
    return holdsData;
  }

  /** Looks at every use of what an instruction pushed. */
  void follow(Body body, AbstractInsnNode source) {
    Set<AbstractInsnNode> aliases = new HashSet<>(List.of(source));
    List<AbstractInsnNode> next = new ArrayList<>(aliases);
    while (!next.isEmpty()) {
      AbstractInsnNode alias = next.removeLast();
      for (AbstractInsnNode use : body.instructions()) {
        if (use(body, alias, use) && aliases.add(use)) {
          next.add(use);
        }
      }
    }
  }

  /** Notes one use; true if what the instruction pushes may be the object itself. */
  private boolean use(Body body, AbstractInsnNode alias, AbstractInsnNode use) {
    String where = " in " + ShortNames.text(body.method);
    switch (use) {
      case MethodInsnNode call -> {
        List<Origins> arguments = body.arguments(call);
        boolean isReceiver =
            call.getOpcode() != Opcodes.INVOKESTATIC && arguments.getFirst().isFrom(alias);
        for (int i = isReceiver ? 1 : 0; i < arguments.size(); i++) {
          if (arguments.get(i).isFrom(alias) && Copies.isCopied(call, arguments)) {
            holdsData = true;
          } else if (arguments.get(i).isFrom(alias)
              && !(call.owner.equals("java/lang/Thread") && call.name.equals("holdsLock"))) {
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
        if (!isReceiver || call.name.equals("<init>") || isObjectMethod(call)) {
          return false;
        }
        holdsData = true;
        Type returned = Type.getReturnType(call.desc);
        return returned.getSort() == Type.OBJECT
            && !returned.getInternalName().equals(TypeHierarchy.OBJECT)
            && field.mayBe(returned.getInternalName());
      }
      case InvokeDynamicInsnNode lambda -> {
        if (body.arguments(lambda, lambda.desc, false).stream()
            .anyMatch(each -> each.isFrom(alias))) {
          field.refuse(field.escapes("is captured by a lambda" + where));
        }
      }
      case FieldInsnNode access -> {
        boolean isOwnPut = FieldExamination.isPut(access) && field.isAccess(access);
        if (FieldExamination.isPut(access) && !isOwnPut && body.operand(access, 0).isFrom(alias)) {
          field.refuse(
              field.escapes(
                  "is stored in " + ShortNames.simple(access.owner) + "." + access.name + where));
        }
        boolean isReceiver =
            (access.getOpcode() == Opcodes.GETFIELD && body.operand(access, 0).isFrom(alias))
                || (access.getOpcode() == Opcodes.PUTFIELD
                    && body.operand(access, 1).isFrom(alias));
        holdsData |= isReceiver;
      }
      default -> {
        switch (use.getOpcode()) {
          case Opcodes.ARETURN -> {
            if (body.operand(use, 0).isFrom(alias)) {
              field.refuse(field.escapes("is returned by " + ShortNames.text(body.method)));
            }
          }
          case Opcodes.ATHROW -> {
            if (body.operand(use, 0).isFrom(alias)) {
              field.refuse(field.escapes("is thrown" + where));
            }
          }
          case Opcodes.AASTORE -> {
            if (body.operand(use, 0).isFrom(alias)) {
              field.refuse(field.escapes("is stored in an array" + where));
            }
            holdsData |= body.operand(use, 2).isFrom(alias);
          }
          case Opcodes.IASTORE,
              Opcodes.LASTORE,
              Opcodes.FASTORE,
              Opcodes.DASTORE,
              Opcodes.BASTORE,
              Opcodes.CASTORE,
              Opcodes.SASTORE ->
              holdsData |= body.operand(use, 2).isFrom(alias);
          case Opcodes.AALOAD,
              Opcodes.IALOAD,
              Opcodes.LALOAD,
              Opcodes.FALOAD,
              Opcodes.DALOAD,
              Opcodes.BALOAD,
              Opcodes.CALOAD,
              Opcodes.SALOAD ->
              holdsData |= body.operand(use, 1).isFrom(alias);
          case Opcodes.ARRAYLENGTH -> holdsData |= body.operand(use, 0).isFrom(alias);
          default -> {} // It is copied, compared or locked.
        }
      }
    }
    return false;
  }

  private static boolean isObjectMethod(MethodInsnNode call) {
    return call.owner.equals(TypeHierarchy.OBJECT);
  }
}
