package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_FINAL;

import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.TypeHierarchy;
import java.util.List;
import java.util.Optional;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Decides whether a field keeps the first object that it gets. It does if it is final or written
 * like a final field: by the constructors of its own class, once in each, and no framework is told
 * to write it.
 */
final class SingleAssignment {
  private final Field field;
  private final TypeHierarchy hierarchy;

  SingleAssignment(Field field, TypeHierarchy hierarchy) {
    this.field = field;
    this.hierarchy = hierarchy;
  }

  /**
   * Explains why the field may hold different objects one after the other; empty if it does not.
   *
   * @param puts all instructions of a method that write the field
   */
  Optional<String> refuse(Body body, List<AbstractInsnNode> puts) {
    if (field.has(ACC_FINAL) || puts.isEmpty()) {
      return Optional.empty();
    }
    String initializer = field.isStatic() ? "<clinit>" : "<init>";
    boolean isOwn =
        body.method.owner().equals(field.name().owner())
            && body.method.name().equals(initializer)
            && (field.isStatic() || puts.stream().allMatch(put -> isOfThis(body, put)));
    if (!isOwn) {
      return Optional.of("is assigned in " + ShortNames.text(body.method));
    }
    return puts.size() > 1 || isInLoop(body, puts.getFirst())
        ? Optional.of("is assigned more than once in " + ShortNames.text(body.method))
        : Optional.empty();
  }

  /**
   * Returns whether the field is not final and annotated: then a reader of the annotation may write
   * it.
   */
  boolean isAnnotated() {
    if (field.has(ACC_FINAL)) {
      return false;
    }
    Optional<ClassFile> owner = hierarchy.type(field.name().owner());
    boolean[] found = {owner.isEmpty()};
    owner.ifPresent(
        type ->
            new ClassReader(type.bytes())
                .accept(
                    new ClassVisitor(Opcodes.ASM9) {
                      @Override
                      public FieldVisitor visitField(
                          int access, String name, String type, String generic, Object value) {
                        return !name.equals(field.name().name())
                            ? null
                            : new FieldVisitor(Opcodes.ASM9) {
                              @Override
                              public AnnotationVisitor visitAnnotation(
                                  String annotation, boolean visible) {
                                found[0] |= visible;
                                return null;
                              }
                            };
                      }
                    },
                    ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES));
    return found[0];
  }

  /**
   * Returns whether a constructor, or the class initializer, may leave the field as it is: then
   * whoever locks it gets a NullPointerException. The compiler sees to it that none leaves a final
   * one.
   */
  boolean mayBeUnset(Bodies bodies) {
    if (field.has(ACC_FINAL)) {
      return false;
    }
    String initializer = field.isStatic() ? "<clinit>" : "<init>";
    return hierarchy.type(field.name().owner()).stream()
        .flatMap(type -> type.methods().values().stream())
        .filter(method -> method.name().name().equals(initializer))
        .map(method -> bodies.of(method.name()))
        .anyMatch(body -> UnsetPaths.leadThrough(body, each -> sets(body, each)));
  }

  private boolean sets(Body body, AbstractInsnNode instruction) {
    return switch (instruction) {
      case FieldInsnNode put -> Body.sets(put, field, hierarchy);
      case MethodInsnNode call ->
          call.name.equals("<init>")
              && call.owner.equals(field.name().owner())
              && body.arguments(call).getFirst().all().stream()
                  .allMatch(origin -> origin.slot() == 0);
      default -> false;
    };
  }

  private static boolean isOfThis(Body body, AbstractInsnNode put) {
    Origins receiver = body.operand(put, 1);
    return receiver.all().size() == 1
        && receiver.all().stream().allMatch(origin -> origin.slot() == 0);
  }

  private static boolean isInLoop(Body body, AbstractInsnNode put) {
    int at = body.index(put);
    for (AbstractInsnNode each : body.code()) {
      if (each instanceof JumpInsnNode jump
          && body.index(jump) > at
          && body.index(jump.label) <= at) {
        return true;
      }
    }
    return false;
  }
}
