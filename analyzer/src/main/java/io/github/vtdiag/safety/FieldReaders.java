package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;

import io.github.vtdiag.owner.NameList;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.TypeHierarchy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.objectweb.asm.ClassReader;

/**
 * Serializers, mappers and the like, which read the fields of objects without naming them. They
 * leave out transient fields, such as a new lock field. They may read a field that is locked today:
 * so it keeps its object.
 */
final class FieldReaders {
  private static final int UTF8 = 1;

  /** The names of the field readers, as class files write them. */
  private static final List<String> NAMES =
      NameList.beside(FieldReaders.class, "field-readers.txt").stream()
          .map(name -> name.replace('.', '/'))
          .toList();

  private final TypeHierarchy hierarchy;

  /** Tells whether the program's own code uses a field reader; null until it is needed. */
  private Boolean used;

  FieldReaders(TypeHierarchy hierarchy) {
    this.hierarchy = hierarchy;
  }

  /** Returns whether a field reader may read the field, so that its object must stay what it is. */
  boolean mayRead(Field field) {
    return !field.isStatic() && !field.has(ACC_TRANSIENT) && areUsed();
  }

  private synchronized boolean areUsed() {
    if (used == null) {
      // A library that knows how to use one does so at the program's request.
      used =
          hierarchy.types().stream()
              .filter(type -> !(type.owner() instanceof Owner.Library))
              .anyMatch(FieldReaders::names);
    }
    return used;
  }

  private static boolean names(ClassFile type) {
    ClassReader reader = new ClassReader(type.bytes());
    for (int i = 1; i < reader.getItemCount(); i++) {
      int at = reader.getItem(i);
      if (at > 0 && reader.readByte(at - 1) == UTF8) {
        String text =
            new String(
                type.bytes(), at + 2, reader.readUnsignedShort(at), StandardCharsets.ISO_8859_1);
        if (NAMES.stream().anyMatch(name -> isIn(text, name))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether a text is a class, or part of a descriptor or signature, with this name. */
  private static boolean isIn(String text, String name) {
    return text.startsWith(name) || text.contains("L" + name);
  }
}
