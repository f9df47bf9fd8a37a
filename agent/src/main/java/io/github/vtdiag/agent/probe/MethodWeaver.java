package io.github.vtdiag.agent.probe;

import java.util.function.BiFunction;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Changes methods of a class. Its frames and limits stay, unless the change writes others. */
final class MethodWeaver {
  private MethodWeaver() {}

  /**
   * Returns the changed class.
   *
   * @param change returns the visitor that a method goes through, by its name and descriptor, such
   *     as {@code run()V}; the visitor that writes it if nothing changes
   */
  static byte[] weave(byte[] classFile, BiFunction<String, MethodVisitor, MethodVisitor> change) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] thrown) {
            return change.apply(
                name + descriptor, super.visitMethod(access, name, descriptor, signature, thrown));
          }
        },
        0);
    return writer.toByteArray();
  }
}
