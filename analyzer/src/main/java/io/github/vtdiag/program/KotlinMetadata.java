package io.github.vtdiag.program;

import static org.objectweb.asm.Opcodes.ASM9;

import java.util.Optional;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;

/** The annotation that Kotlin's compiler puts on each class. */
final class KotlinMetadata extends ClassVisitor {
  private String version;

  private KotlinMetadata() {
    super(ASM9);
  }

  /**
   * Returns the version of the language, such as 2.1; empty if the class is not compiled from
   * Kotlin.
   */
  static Optional<String> version(byte[] classFile) {
    KotlinMetadata metadata = new KotlinMetadata();
    new ClassReader(classFile)
        .accept(metadata, ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    return Optional.ofNullable(metadata.version);
  }

  @Override
  public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
    if (!descriptor.equals("Lkotlin/Metadata;")) {
      return null;
    }
    return new AnnotationVisitor(ASM9) {
      @Override
      public void visit(String name, Object value) {
        if (name.equals("mv") && value instanceof int[] numbers && numbers.length >= 2) {
          version = numbers[0] + "." + numbers[1];
        }
      }
    };
  }
}
