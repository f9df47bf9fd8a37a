package io.github.vtdiag.agent.probe;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ASM9;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Makes a class of {@code java.base} whose methods call those of a class of ours. What is woven
 * into applications calls it, because it is there for everybody: each named module reads {@code
 * java.base}, and each class loader has to ask the bootstrap loader for names that begin with
 * {@code java.}.
 */
final class Forwarder {
  private Forwarder() {}

  /** Forwards to all public static methods of a class. */
  static byte[] to(byte[] classFile, String forwarderName) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(
        Opcodes.V21,
        ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC,
        forwarderName,
        null,
        "java/lang/Object",
        null);
    reader.accept(
        new ClassVisitor(ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            if ((access & (ACC_PUBLIC | ACC_STATIC)) == (ACC_PUBLIC | ACC_STATIC)) {
              MethodVisitor method =
                  writer.visitMethod(
                      ACC_PUBLIC | ACC_STATIC | ACC_SYNTHETIC, name, descriptor, null, exceptions);
              forward(method, reader.getClassName(), name, descriptor);
            }
            return null;
          }
        },
        ClassReader.SKIP_CODE);
    return writer.toByteArray();
  }

  private static void forward(MethodVisitor method, String owner, String name, String descriptor) {
    method.visitCode();
    int local = 0;
    for (Type argument : Type.getArgumentTypes(descriptor)) {
      method.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), local);
      local += argument.getSize();
    }
    method.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
    method.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
    method.visitMaxs(0, 0);
    method.visitEnd();
  }
}
