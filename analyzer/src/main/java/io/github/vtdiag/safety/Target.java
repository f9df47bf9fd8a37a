package io.github.vtdiag.safety;

import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.MethodName;

/** What a place locks. ShortNames with slashes. */
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

  /** Something that no lock can stand for. */
  record None(RefusalReason rung, String reason) implements Target {}
}
