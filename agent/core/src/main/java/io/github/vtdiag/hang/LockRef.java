package io.github.vtdiag.hang;

import io.github.vtdiag.model.ClassRef;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An object that threads lock or wait for.
 *
 * @param className its class, with dots; if only the field is known, the class that has the field
 * @param identity its identity hash code, which distinguishes it from others of its class; empty if
 *     the object is unknown
 * @param field the field that refers to it, such as {@code lock}; for a known object its name in
 *     the source, such as {@code Orders.class}; empty if it is unknown
 */
public record LockRef(String className, OptionalInt identity, String field) {
  private static final String CLASS_LOADER = "class loader";

  public LockRef {
    className = ClassRef.withoutHiddenSuffix(className);
  }

  public static LockRef of(String className, int identity) {
    return new LockRef(className, OptionalInt.of(identity), "");
  }

  /**
   * Returns the monitor of a class loader that the JVM itself takes to load a class.
   *
   * @param loader the class loader; empty if it is unknown
   * @param loaded the class; empty if it is unknown
   */
  public static LockRef ofClassLoader(Optional<LockRef> loader, String loaded) {
    return new LockRef(
        loader.map(LockRef::className).orElse(""),
        loader.map(LockRef::identity).orElse(OptionalInt.empty()),
        CLASS_LOADER + (loaded.isEmpty() ? "" : " (to load " + loaded + ")"));
  }

  /** Returns whether it is the monitor of a class loader that the JVM itself takes. */
  public boolean isClassLoader() {
    return field.startsWith(CLASS_LOADER);
  }

  /** Returns an unknown object of that class. */
  public static LockRef anyOf(String className) {
    return new LockRef(className, OptionalInt.empty(), "");
  }

  /** Reads {@code com.example.Foo@1b2c3d}, as thread dumps write an object. */
  public static LockRef parse(String text) {
    int at = text.lastIndexOf('@');
    try {
      return of(text.substring(0, at), Integer.parseUnsignedInt(text.substring(at + 1), 16));
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      return anyOf(text);
    }
  }

  /** Returns whether the object is known, not only its class. */
  public boolean isExact() {
    return identity.isPresent();
  }

  /** Returns whether both are known to be one object. */
  public boolean isSame(LockRef other) {
    return isExact() && identity.equals(other.identity) && className.equals(other.className);
  }

  /** Returns whether they can be one object, as far as is known. */
  public boolean maybeSame(LockRef other) {
    return className.equals(other.className)
        && field.equals(other.field)
        && (!isExact() || !other.isExact() || identity.equals(other.identity));
  }

  /**
   * Returns whether the two may be one object. For fields that have nothing in common that is ruled
   * out: they rarely refer to the same object every time.
   */
  public boolean mayBe(LockRef other) {
    if (isExact() && other.isExact()) {
      return isSame(other);
    }
    if (className.isEmpty() || other.className.isEmpty() || maybeSame(other)) {
      return true;
    }
    if (!isExact() && !other.isExact()) {
      return false;
    }
    LockRef object = isExact() ? this : other;
    LockRef place = isExact() ? other : this;
    // A field can refer to any object; the class of {@code this} can be a subclass of that one.
    return !place.field.isEmpty() || !object.className.startsWith("java.");
  }

  /**
   * Returns {@code com.example.Foo@1b2c3d}, as thread dumps write it; otherwise what is known of
   * it.
   */
  public String text() {
    if (isClassLoader()) {
      String object =
          className.isEmpty()
              ? ""
              : " " + className + identity().stream().mapToObj(LockRef::hash).findAny().orElse("");
      return (isExact() ? "the " : "a ")
          + CLASS_LOADER
          + object
          + field.substring(CLASS_LOADER.length());
    }
    if (identity.isPresent()) {
      String object = className + hash(identity.getAsInt());
      return field.isEmpty() ? object : field + " (" + object + ")";
    }
    if (field.isEmpty()) {
      return className.isEmpty() ? "an unknown object" : "a " + className;
    }
    return field.endsWith("()")
        ? "what " + field + " of a " + className + " returns"
        : "the field " + field + " of a " + className;
  }

  private static String hash(int identity) {
    return "@" + Integer.toHexString(identity);
  }
}
