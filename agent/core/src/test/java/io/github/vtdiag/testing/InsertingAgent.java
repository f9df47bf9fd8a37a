package io.github.vtdiag.testing;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Another agent, as those for coverage and tracing are: calls a probe of its own everywhere. */
public final class InsertingAgent {
  private InsertingAgent() {}

  /** What the changed classes call. */
  public static final class Probe {
    private Probe() {}

    public static void hit() {}
  }

  /**
   * Changes the classes whose names begin so.
   *
   * @param argument the beginning, with slashes; a {@code +} after it has the agent asked again
   *     when a class is retransformed
   */
  public static void premain(String argument, Instrumentation instrumentation) {
    boolean again = argument.endsWith("+");
    String prefix = again ? argument.substring(0, argument.length() - 1) : argument;
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
            return name != null && name.startsWith(prefix) ? withProbes(classFile) : null;
          }
        },
        again);
  }

  /** A class that calls the probe at the start of each method and before each branch. */
  public static byte[] withProbes(byte[] classFile) {
    return withProbes(classFile, 1);
  }

  /**
   * The same, with several calls at the start of a method.
   *
   * @param first how many
   */
  public static byte[] withProbes(byte[] classFile, int first) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] thrown) {
            return new Probes(
                super.visitMethod(access, name, descriptor, signature, thrown), first);
          }
        },
        0);
    return writer.toByteArray();
  }

  private static final class Probes extends MethodVisitor {
    private final int first;

    Probes(MethodVisitor next, int first) {
      super(Opcodes.ASM9, next);
      this.first = first;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      for (int i = 0; i < first; i++) {
        hit();
      }
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      hit();
      super.visitJumpInsn(opcode, label);
    }

    private void hit() {
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC, Probe.class.getName().replace('.', '/'), "hit", "()V", false);
    }
  }
}
