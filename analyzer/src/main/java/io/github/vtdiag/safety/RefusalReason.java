package io.github.vtdiag.safety;

/**
 * The reason why a rewrite is refused; the names are part of the JSON. If several apply, the first
 * is given.
 */
public enum RefusalReason {
  /** A class file was not found or could not be read, so not all sites are known. */
  CLASS_UNKNOWN,
  /** Code of the JDK, which cannot be patched. */
  JDK_CODE,
  /** Enters and exits of the monitor could not be paired: JSR, or locking across methods. */
  UNSTRUCTURED,
  /** A {@code native} method is synchronized. */
  NATIVE_METHOD,
  /** The block is in a class initializer, which pins by itself. */
  CLASS_INITIALIZER,
  /** A string literal or an interned string, which any code can lock. */
  INTERNED_STRING,
  /** A box or another value-based class: which object an equal value is, is undefined. */
  VALUE_BASED,
  /** The JDK locks the same object. */
  JDK_LOCKS,
  /** It is a collection of the JDK whose methods lock it. */
  JDK_COLLECTION,
  /** The class is a record and cannot have a lock field. */
  RECORD,
  /** The object is only known by an interface, which cannot have a lock field. */
  INTERFACE,
  /** The {@code Class} object is not known: {@code getClass()} returns another in subclasses. */
  GET_CLASS,
  /** The lock field is not final, and may hold another object later. */
  NOT_FINAL,
  /** Code outside the class path can read the lock field; only if such code is assumed. */
  NOT_PRIVATE,
  /** Code outside the class path may lock the object; only if such code is assumed. */
  UNSEEN_CLIENTS,
  /** The object in the lock field escapes, so others may lock it. */
  ESCAPES,
  /** A value of a map: each key has a lock of its own, made where the map is filled. */
  VALUE_OF_MAP,
  /** A parameter, a local variable, a call's result: which object it is could not be determined. */
  UNRESOLVED,
  /** Other code locks an object that may be this one. */
  MAY_BE_SHARED,
  /** A method reference such as {@code this::notifyAll} needs the monitor. */
  METHOD_REFERENCE,
  /** Code in several jars locks it. */
  SEVERAL_OWNERS,
  /** The serialized form would change, or a deserialized object would have no lock. */
  SERIALIZABLE,
  /** A clone would share the lock. */
  CLONEABLE,
  /** The lock may be needed before its field is assigned, or its class be initialized too early. */
  INITIALIZATION_ORDER,
  /** Instances are made without running a constructor, so they would have no lock. */
  NO_CONSTRUCTOR,
  /** By reflection, code may lock the field's object, see a new field, or ask what is locked. */
  REFLECTION,
  /** Code calls itself under the lock, which a stack overflow may then leave held. */
  RECURSION,
  /** The class is generated and has no source. */
  NO_SOURCE
}
