package io.github.vtdiag.safety;

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
}
