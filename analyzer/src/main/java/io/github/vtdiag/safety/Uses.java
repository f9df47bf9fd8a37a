package io.github.vtdiag.safety;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** The uses of an object by instructions. */
final class Uses {
  private Uses() {}

  /** Returns whether other code may have the object, or know it by another name, after the use. */
  static boolean mayLeak(Body body, AbstractInsnNode use, AbstractInsnNode object) {
    return switch (use) {
      case MethodInsnNode call -> isAmong(body.arguments(call), object);
      case InvokeDynamicInsnNode lambda ->
          isAmong(body.arguments(lambda, lambda.desc, false), object);
      case FieldInsnNode put ->
          (put.getOpcode() == Opcodes.PUTFIELD || put.getOpcode() == Opcodes.PUTSTATIC)
              && body.operand(put, 0).isFrom(object);
      default ->
          switch (use.getOpcode()) {
            case Opcodes.ARETURN, Opcodes.ATHROW, Opcodes.AASTORE ->
                body.operand(use, 0).isFrom(object);
            default -> false;
          };
    };
  }

  private static boolean isAmong(List<Origins> arguments, AbstractInsnNode object) {
    return arguments.stream().anyMatch(argument -> argument.isFrom(object));
  }
}
