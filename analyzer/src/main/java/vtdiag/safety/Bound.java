package vtdiag.safety;

/** What is known of the objects that an expression can give. Names with slashes. */
sealed interface Bound {

  /** Instances of exactly this class. */
  record Exactly(String type) implements Bound {}

  /** Instances of the class or interface, and of all below it. */
  record AtMost(String type) implements Bound {}

  /** The {@code Class} object of one class. */
  record ClassLiteral(String type) implements Bound {}

  /** What {@code getClass()} gives for an instance of the class or of one below it. */
  record ClassOf(String type) implements Bound {}
}
