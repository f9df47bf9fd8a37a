package io.github.vtdiag.safety;

import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.MethodName;

/** The object that a place locks. Names are with slashes. */
sealed interface Target {
  /** An instance of a class of the program. */
  record Instance(String type) implements Target {}

  /** The {@code Class} object of a class. */
  record ClassObject(String type) implements Target {}

  /** The object in a field. */
  record OfField(Field field) implements Target {}

  /**
   * The object that a method makes for a local variable, and that only it and its lambdas lock.
   *
   * @param index that of the instruction in the method
   */
  record OfVariable(MethodName method, int index) implements Target {}

  /** An object for which no lock can stand. */
  record None(RefusalReason rung, String reason) implements Target {}
}
