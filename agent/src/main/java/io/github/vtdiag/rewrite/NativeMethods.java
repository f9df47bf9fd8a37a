package io.github.vtdiag.rewrite;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Gives a native method a body, so that something can be put around it: it calls a private method
 * that is native in its place. The JVM links that to the function of the old name, by symbol and by
 * {@code RegisterNatives}, because the prefix was announced to it.
 */
final class NativeMethods {
  private static final String JNA = "com/sun/jna/Native";

  private NativeMethods() {}

  static void giveBody(ClassNode type, MethodNode method) throws CannotRewriteException {
    if (registersWithJna(type)) {
      throw new CannotRewriteException(
          type.name.replace('/', '.')
              + "."
              + method.name
              + " is native and synchronized, and JNA registers it by its name");
    }
    boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    String name = MonitorRewriter.NATIVE_PREFIX + method.name;
    method.access &= ~Opcodes.ACC_NATIVE;
    int local = 0;
    if (!isStatic) {
      method.instructions.add(new VarInsnNode(Opcodes.ALOAD, local++));
    }
    for (Type argument : Type.getArgumentTypes(method.desc)) {
      method.instructions.add(new VarInsnNode(argument.getOpcode(Opcodes.ILOAD), local));
      local += argument.getSize();
    }
    int call = isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL;
    method.instructions.add(new MethodInsnNode(call, type.name, name, method.desc, false));
    Type result = Type.getReturnType(method.desc);
    method.instructions.add(new InsnNode(result.getOpcode(Opcodes.IRETURN)));
    method.maxLocals = local;
    method.maxStack = Math.max(local, result.getSize());
    type.methods.add(
        new MethodNode(
            Opcodes.ACC_PRIVATE
                | Opcodes.ACC_NATIVE
                | Opcodes.ACC_SYNTHETIC
                | (method.access & Opcodes.ACC_STATIC),
            name,
            method.desc,
            null,
            method.exceptions.toArray(String[]::new)));
  }

  /**
   * Returns whether a class uses JNA's direct mapping. JNA asks such a class for its native
   * methods, and a library for their names. JNA's own native methods are linked by the JVM.
   */
  private static boolean registersWithJna(ClassNode type) {
    if (type.name.equals(JNA)) {
      return false;
    }
    for (MethodNode method : type.methods) {
      for (AbstractInsnNode each : method.instructions) {
        if (each instanceof MethodInsnNode call
            && call.owner.equals(JNA)
            && call.name.equals("register")) {
          return true;
        }
      }
    }
    return false;
  }
}
