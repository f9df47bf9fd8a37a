package io.github.vtdiag.agent.programs;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Another agent: each carrier passes {@link MountGate} in a method of {@code VirtualThread}. */
public final class GateAgent {
  private GateAgent() {}

  /**
   * Puts the gate into a method.
   *
   * @param method such as {@code mount}, without parameters
   */
  public static void premain(String method, Instrumentation instrumentation) throws Exception {
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              Module module,
              ClassLoader loader,
              String name,
              Class<?> redefined,
              ProtectionDomain domain,
              byte[] classFile) {
            return "java/lang/VirtualThread".equals(name) ? withGate(classFile, method) : null;
          }
        },
        true);
    instrumentation.retransformClasses(Class.forName("java.lang.VirtualThread"));
  }

  private static byte[] withGate(byte[] classFile, String method) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor code = super.visitMethod(access, name, descriptor, signature, exceptions);
            return name.equals(method) && descriptor.equals("()V") ? entering(code) : code;
          }
        },
        0);
    return writer.toByteArray();
  }

  private static MethodVisitor entering(MethodVisitor code) {
    return new MethodVisitor(Opcodes.ASM9, code) {
      @Override
      public void visitCode() {
        super.visitCode();
        visitMethodInsn(
            Opcodes.INVOKESTATIC,
            "io/github/vtdiag/agent/programs/MountGate",
            "pass",
            "()V",
            false);
      }
    };
  }
}
