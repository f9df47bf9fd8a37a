package io.github.vtdiag.model;

/**
 * The object that a {@code synchronized} locks, as the bytecode names it.
 *
 * @param kind the kind of expression
 * @param owner the class that owns the field or method, or the literal's class, with dots; empty if
 *     the kind has none
 * @param name the field's, method's, parameter's or variable's name; empty if the kind has none
 */
public record LockExpression(Kind kind, String owner, String name) {

  /** The kinds of lock expression. */
  public enum Kind {
    THIS,
    CLASS_LITERAL,
    /** A field of {@code this}. */
    INSTANCE_FIELD,
    /** A field of some other object. */
    OTHER_FIELD,
    STATIC_FIELD,
    PARAMETER,
    LOCAL,
    CALL_RESULT,
    NEW_OBJECT,
    ARRAY_ELEMENT,
    UNKNOWN
  }

  public static final LockExpression THIS = new LockExpression(Kind.THIS, "", "");
  public static final LockExpression UNKNOWN = new LockExpression(Kind.UNKNOWN, "", "");

  /**
   * Returns the words for the object's monitor, which another thread holds.
   *
   * @param className the object's class; empty if it is unknown
   */
  String monitorOfOther(String className) {
    String type = className.isEmpty() ? "" : ClassRef.readable(className);
    if (!tellsObject()) {
      return (type.isEmpty() ? "a monitor" : "a monitor of " + type) + " that another thread holds";
    }
    boolean known = type.isEmpty() || kind == Kind.CLASS_LITERAL;
    return "the monitor of "
        + text()
        + (known ? "" : " (" + type + ")")
        + ", which another thread holds";
  }

  /** Returns whether its text says more of the object than the object's class does. */
  private boolean tellsObject() {
    return switch (kind) {
      case THIS, CLASS_LITERAL, INSTANCE_FIELD, OTHER_FIELD, STATIC_FIELD, CALL_RESULT -> true;
      case PARAMETER, LOCAL, NEW_OBJECT, ARRAY_ELEMENT, UNKNOWN -> false;
    };
  }

  /** Returns the expression as a Java developer would write it. */
  public String text() {
    String simpleOwner = owner.substring(owner.lastIndexOf('.') + 1);
    return switch (kind) {
      case THIS -> "this";
      case CLASS_LITERAL -> simpleOwner + ".class";
      case INSTANCE_FIELD -> "this." + name;
      case OTHER_FIELD -> Article.with(simpleOwner) + "'s field " + name;
      case STATIC_FIELD -> simpleOwner + "." + name;
      case PARAMETER -> "parameter " + name;
      case LOCAL -> "local variable " + name;
      case CALL_RESULT -> "result of " + simpleOwner + "." + name + "()";
      case NEW_OBJECT -> "new " + simpleOwner;
      case ARRAY_ELEMENT -> "an array element";
      case UNKNOWN -> "unknown object";
    };
  }
}
