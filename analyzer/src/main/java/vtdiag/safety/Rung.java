package vtdiag.safety;

/**
 * The rules that refuse a rewrite; their names are part of the JSON. The first one that applies is
 * the one that is told.
 */
public enum Rung {
  /** The bytes of the class are not at hand, so its other sites are not known. */
  CLASS_UNKNOWN,
  /** Code of the JDK: nobody can change it. */
  JDK_CODE,
  /** Enters and exits of the monitor could not be paired: JSR, or locking across methods. */
  UNSTRUCTURED,
  /** A {@code native} method is synchronized. */
  NATIVE_METHOD,
  /** The block is in a class initializer, which pins by itself. */
  CLASS_INITIALIZER,
  /** A string literal or an interned string, which code anywhere can lock. */
  INTERNED_STRING,
  /** A box or another value-based class: which object that is, is not defined. */
  VALUE_BASED,
  /** The JDK locks the same object. */
  JDK_LOCKS,
  /** The class is a record, which can have no lock field. */
  RECORD,
  /** The object is only known by an interface, which can have no lock field. */
  INTERFACE,
  /** The {@code Class} object is not known: {@code getClass()} differs in subclasses. */
  GET_CLASS,
  /** The lock field can be reassigned, or is assigned more than once. */
  NOT_FINAL,
  /** Other classes can read the lock field. */
  NOT_PRIVATE,
  /** The object in the lock field gets out, so that others may lock it. */
  ESCAPES,
  /** A parameter, a local variable, a call's result: which object that is, is not known. */
  UNRESOLVED,
  /** A place that locks an object it knows too little of may lock this one. */
  MAY_BE_SHARED,
  /** The places that lock it are in several jars. */
  SEVERAL_OWNERS,
  /** The serialized form would change, or a deserialized object would have no lock. */
  SERIALIZABLE,
  /** A clone would share the lock. */
  CLONEABLE,
  /** A constructor further up calls a method that locks, before there is a lock field. */
  INITIALIZATION_ORDER,
  /** The program asks by reflection which methods are synchronized. */
  REFLECTION,
  /** Not compiled from Java: only Java sources are patched. */
  NOT_JAVA,
  /** Generated: the class has no source. */
  NO_SOURCE
}
