package io.github.vtdiag.hang;

import io.github.vtdiag.model.ClassRef;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An object that threads lock or wait for.
 *
 * @param className its class, with dots; where the object is only known as a field, the class that
 *     has the field
 * @param identity its identity hash code, which tells it from the others of its class; empty where
 *     it is not known which object this is
 * @param field the field in which it is, such as {@code lock}; of an object that is known anyway,
 *     what the source calls it, such as {@code Orders.class}; empty if that is not known
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
   * The monitor of a class loader that the JVM itself takes to load a class.
   *
   * @param loader empty if it is not known which
   * @param loaded the class; empty if that is not known
   */
  public static LockRef ofClassLoader(Optional<LockRef> loader, String loaded) {
    return new LockRef(
        loader.map(LockRef::className).orElse(""),
        loader.map(LockRef::identity).orElse(OptionalInt.empty()),
        CLASS_LOADER + (loaded.isEmpty() ? "" : " (to load " + loaded + ")"));
  }

  /** Whether it is the monitor of a class loader that the JVM itself takes. */
  public boolean isClassLoader() {
    return field.startsWith(CLASS_LOADER);
  }

  /** Some object of that class, nobody knows which. */
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

  /** Whether it is known which object this is, not only of which class. */
  public boolean isExact() {
    return identity.isPresent();
  }

  /** Whether both are one object. */
  public boolean isSame(LockRef other) {
    return isExact() && identity.equals(other.identity) && className.equals(other.className);
  }

  /** Whether they can be one object, as far as is known. */
  public boolean maybeSame(LockRef other) {
    return className.equals(other.className)
        && field.equals(other.field)
        && (!isExact() || !other.isExact() || identity.equals(other.identity));
  }

  /**
   * Whether it cannot be ruled out that they are one object. Of fields that have nothing in common
   * it is: that each time the same object is in both is too rare.
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
    // In a field there can be anything; who is `this` can be of a class that extends that one.
    return !place.field.isEmpty() || !object.className.startsWith("java.");
  }

  /** {@code com.example.Foo@1b2c3d}, as thread dumps write it; else what is known of it. */
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
