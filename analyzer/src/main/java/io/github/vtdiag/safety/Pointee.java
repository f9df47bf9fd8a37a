package io.github.vtdiag.safety;

import io.github.vtdiag.program.TypeHierarchy;
import java.util.LinkedHashSet;
import java.util.Set;

/** The objects that an expression can give, as far as they are known. Names are with slashes. */
sealed interface Pointee {

  /** Instances of exactly this class. */
  record Exactly(String type) implements Pointee {}

  /** Instances of the class or interface, and of all its subtypes. */
  record AtMost(String type) implements Pointee {}

  /** The {@code Class} object of one class. */
  record ClassLiteral(String type) implements Pointee {}

  /** The result of {@code getClass()} for an instance of the class or of a subclass. */
  record ClassOf(String type) implements Pointee {}

  /**
   * Returns what {@link Class#getSuperclass} can give for these class objects; of a class whose
   * subclasses count, too, this includes itself.
   */
  static Set<Pointee> superclasses(Set<Pointee> classes, TypeHierarchy hierarchy) {
    Set<Pointee> above = new LinkedHashSet<>();
    for (Pointee each : classes) {
      switch (each) {
        case ClassLiteral of -> addSuperclasses(of.type(), hierarchy, above);
        case ClassOf of -> {
          above.add(of);
          addSuperclasses(of.type(), hierarchy, above);
        }
        case AtMost any -> above.add(any);
        case Exactly none -> above.add(none);
      }
    }
    return above;
  }

  private static void addSuperclasses(String type, TypeHierarchy hierarchy, Set<Pointee> to) {
    for (String at = hierarchy.superName(type); at != null; at = hierarchy.superName(at)) {
      to.add(new ClassLiteral(at));
    }
  }
}
