package io.github.vtdiag.source;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.nodeTypes.NodeWithTypeParameters;
import com.github.javaparser.ast.type.ArrayType;
import com.github.javaparser.ast.type.ClassOrInterfaceType;
import com.github.javaparser.ast.type.PrimitiveType;
import com.github.javaparser.ast.type.Type;
import com.github.javaparser.ast.type.TypeParameter;
import java.lang.constant.ClassDesc;
import java.util.Optional;

/** The comparison of types in sources with those in class files, by their simple names. */
final class ErasedTypes {
  private ErasedTypes() {}

  /**
   * Returns whether a type can be the one in a descriptor.
   *
   * @param more dimensions that the source writes elsewhere, as {@code ...}
   */
  static boolean match(Type type, String descriptor, int more) {
    String component = descriptor;
    for (int i = 0; i < more; i++) {
      if (!component.startsWith("[")) {
        return false;
      }
      component = component.substring(1);
    }
    return switch (type) {
      case ArrayType array ->
          component.startsWith("[") && match(array.getComponentType(), component.substring(1), 0);
      case PrimitiveType primitive ->
          ClassDesc.ofDescriptor(component).displayName().equals(primitive.asString());
      case ClassOrInterfaceType named -> isNamed(named, component);
      default -> true;
    };
  }

  private static boolean isNamed(ClassOrInterfaceType type, String descriptor) {
    if (type.getScope().isEmpty()) {
      Optional<TypeParameter> variable = typeVariable(type);
      if (variable.isPresent()) {
        return variable.get().getTypeBound().isEmpty()
            ? descriptor.equals("Ljava/lang/Object;")
            : isNamed(variable.get().getTypeBound().getFirst().orElseThrow(), descriptor);
      }
    }
    String name = type.getNameAsString();
    if (!descriptor.startsWith("L")) {
      return false;
    }
    return descriptor.equals("L" + name + ";")
        || descriptor.endsWith("/" + name + ";")
        || descriptor.endsWith("$" + name + ";")
        // The binary name of a local class.
        || descriptor.matches(".*\\$\\d+\\Q" + name + "\\E;");
  }

  private static Optional<TypeParameter> typeVariable(ClassOrInterfaceType type) {
    for (Node at = type; at != null; at = at.getParentNode().orElse(null)) {
      if (at instanceof NodeWithTypeParameters<?> generic) {
        for (TypeParameter parameter : generic.getTypeParameters()) {
          if (parameter.getNameAsString().equals(type.getNameAsString())) {
            return Optional.of(parameter);
          }
        }
      }
    }
    return Optional.empty();
  }
}
