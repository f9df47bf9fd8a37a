package io.github.vtdiag.safety;

import io.github.vtdiag.program.FieldName;
import io.github.vtdiag.program.MethodName;

/** The names of classes and members as shown to the user: without packages. */
final class ShortNames {
  private ShortNames() {}

  static String text(FieldName field) {
    return simple(field.owner()) + "." + field.name();
  }

  static String text(MethodName method) {
    return simple(method.owner()) + "." + method.name();
  }

  /**
   * @param line negative if it is not known
   */
  static String where(MethodName method, int line) {
    return text(method) + (line < 0 ? "" : " (line " + line + ")");
  }

  static String simple(String name) {
    return name.substring(name.lastIndexOf('/') + 1).replace('$', '.');
  }
}
