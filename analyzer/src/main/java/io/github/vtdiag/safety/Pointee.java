package io.github.vtdiag.safety;

/** What is known of the objects that an expression can give. ShortNames with slashes. */
sealed interface Pointee {

  /** Instances of exactly this class. */
  record Exactly(String type) implements Pointee {}

  /** Instances of the class or interface, and of all below it. */
  record AtMost(String type) implements Pointee {}

  /** The {@code Class} object of one class. */
  record ClassLiteral(String type) implements Pointee {}

  /** What {@code getClass()} gives for an instance of the class or of one below it. */
  record ClassOf(String type) implements Pointee {}
}
