package io.github.vtdiag.safety;

import io.github.vtdiag.program.TypeHierarchy;
import java.util.Set;

/** Decides whether two references can refer to the same object. */
final class Aliasing {
  private final TypeHierarchy hierarchy;

  Aliasing(TypeHierarchy hierarchy) {
    this.hierarchy = hierarchy;
  }

  boolean mayBeSame(Pointee one, Pointee other) {
    return switch (one) {
      case Pointee.Exactly(String type) ->
          switch (other) {
            case Pointee.Exactly exactly -> type.equals(exactly.type());
            case Pointee.AtMost most -> hierarchy.isSubtype(type, most.type());
            case Pointee.ClassLiteral literal -> false;
            case Pointee.ClassOf of -> false;
          };
      case Pointee.AtMost(String type) ->
          switch (other) {
            case Pointee.Exactly exactly -> hierarchy.isSubtype(exactly.type(), type);
            // A class may extend one and implement the other.
            case Pointee.AtMost most ->
                hierarchy.isInterface(type)
                    || hierarchy.isInterface(most.type())
                    || hierarchy.isSubtype(type, most.type())
                    || hierarchy.isSubtype(most.type(), type);
            case Pointee.ClassLiteral literal -> hierarchy.isSubtype("java/lang/Class", type);
            case Pointee.ClassOf of -> hierarchy.isSubtype("java/lang/Class", type);
          };
      case Pointee.ClassLiteral(String type) -> mayBeClassObject(other, type);
      case Pointee.ClassOf(String type) ->
          switch (other) {
            case Pointee.Exactly exactly -> false;
            case Pointee.AtMost most -> hierarchy.isSubtype("java/lang/Class", most.type());
            case Pointee.ClassLiteral literal -> hierarchy.isSubtype(literal.type(), type);
            case Pointee.ClassOf of ->
                mayBeSame(new Pointee.AtMost(type), new Pointee.AtMost(of.type()));
          };
    };
  }

  /**
   * Returns whether a reference of the declared type can hold an instance of one of these classes.
   */
  boolean mayHold(String declared, Set<String> tree) {
    return tree.stream().anyMatch(type -> hierarchy.isSubtype(type, declared));
  }

  /** Returns whether a reference of the declared type can hold a {@code Class} object. */
  boolean mayHoldClassObject(String declared) {
    return hierarchy.isSubtype("java/lang/Class", declared);
  }

  /** Returns whether the pointee can be an instance of one of these classes. */
  boolean mayBeIn(Pointee bound, Set<String> tree) {
    return switch (bound) {
      case Pointee.Exactly exactly -> tree.contains(exactly.type());
      case Pointee.AtMost most ->
          tree.stream().anyMatch(type -> hierarchy.isSubtype(type, most.type()));
      case Pointee.ClassLiteral literal -> false;
      case Pointee.ClassOf of -> false;
    };
  }

  /** Returns whether the pointee can be the {@code Class} object of a class. */
  boolean mayBeClassObject(Pointee bound, String name) {
    return switch (bound) {
      case Pointee.Exactly exactly -> false;
      case Pointee.AtMost most -> hierarchy.isSubtype("java/lang/Class", most.type());
      case Pointee.ClassLiteral literal -> literal.type().equals(name);
      case Pointee.ClassOf of -> hierarchy.isSubtype(name, of.type());
    };
  }
}
