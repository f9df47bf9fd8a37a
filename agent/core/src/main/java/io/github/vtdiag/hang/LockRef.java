package io.github.vtdiag.hang;

import io.github.vtdiag.model.Article;
import io.github.vtdiag.model.ClassRef;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An object that threads lock or wait for.
 *
 * @param className its class, with dots; if only the field is known, the class that has the field
 * @param identity its identity hash code, which distinguishes it from others of its class; empty if
 *     the object is unknown
 * @param name the object's name in the source, as far as it is known
 */
public record LockRef(String className, OptionalInt identity, Name name) {
  private static final String CLASS_LOADER = "class loader";

  /** The way in which the source refers to an object. */
  public sealed interface Name {
    /** No known expression or field. */
    record Unknown() implements Name {}

    /** A field of {@link LockRef#className}. */
    record Field(String name) implements Name {}

    /** A static field of {@link LockRef#className}, of which there is one. */
    record StaticField(String name) implements Name {}

    /** The result of a method of {@link LockRef#className}. */
    record Result(String method) implements Name {}

    /**
     * The expression of a known object.
     *
     * @param text such as {@code Orders.class}
     */
    record Expression(String text) implements Name {}

    /**
     * No name: the JVM itself takes the monitor of a class loader to load a class.
     *
     * @param loaded the class; empty if it is unknown
     */
    record ClassLoading(String loaded) implements Name {
      private String text() {
        return CLASS_LOADER + in();
      }

      private String in() {
        return loaded.isEmpty() ? "" : " (to load " + loaded + ")";
      }
    }
  }

  public LockRef {
    className = ClassRef.withoutHiddenSuffix(className);
  }

  public static LockRef of(String className, int identity) {
    return new LockRef(className, OptionalInt.of(identity), new Name.Unknown());
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
        new Name.ClassLoading(loaded));
  }

  /** Returns whether it is the monitor of a class loader that the JVM itself takes. */
  public boolean isClassLoader() {
    return name instanceof Name.ClassLoading;
  }

  /** Returns the unknown object to which a field of that class refers. */
  public static LockRef ofField(String className, String field) {
    return new LockRef(className, OptionalInt.empty(), new Name.Field(field));
  }

  /** Returns the unknown object to which a static field refers. */
  public static LockRef ofStaticField(String className, String field) {
    return new LockRef(className, OptionalInt.empty(), new Name.StaticField(field));
  }

  /** Returns the same object without its name. */
  public LockRef unnamed() {
    return new LockRef(className, identity, new Name.Unknown());
  }

  /** Returns the same object, for which the source has an expression such as {@code A.class}. */
  public LockRef named(String expression) {
    return new LockRef(className, identity, new Name.Expression(expression));
  }

  /** Returns an unknown object of that class. */
  public static LockRef anyOf(String className) {
    return new LockRef(className, OptionalInt.empty(), new Name.Unknown());
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

  /** Returns {@code com.example.Foo@1b2c3d}; empty if the object is unknown. */
  public Optional<String> object() {
    return identity.isPresent()
        ? Optional.of(className + hash(identity.getAsInt()))
        : Optional.empty();
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
        && name.equals(other.name)
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
    return !(place.name instanceof Name.Unknown) || !object.className.startsWith("java.");
  }

  /**
   * Returns {@code com.example.Foo@1b2c3d}, as thread dumps write it; otherwise what is known of
   * it.
   */
  public String text() {
    String object = object().orElse(className);
    return switch (name) {
      case Name.ClassLoading loading ->
          (isExact() ? "the " + CLASS_LOADER : Article.with(CLASS_LOADER))
              + (className.isEmpty() ? "" : " " + object)
              + loading.in();
      case Name.Unknown unknown ->
          isExact() ? object : className.isEmpty() ? "an unknown object" : Article.with(className);
      case Name.Expression expression -> expression.text() + " (" + object + ")";
      case Name.Field field -> "the field " + field.name() + " of " + Article.with(className);
      case Name.StaticField field -> "the static field " + className + "." + field.name();
      case Name.Result result ->
          "what " + result.method() + "() of " + Article.with(className) + " returns";
    };
  }

  /**
   * Returns the class, followed by the name in that class; the class alone for a known object,
   * whose name only some JVMs give.
   */
  String place() {
    if (isExact()) {
      return className;
    }
    return switch (name) {
      case Name.Unknown unknown -> className;
      case Name.Expression expression -> className;
      case Name.Field field -> className + "." + field.name();
      case Name.StaticField field -> className + "." + field.name();
      case Name.Result result -> className + "." + result.method() + "()";
      case Name.ClassLoading loading -> className + "." + loading.text();
    };
  }

  private static String hash(int identity) {
    return "@" + Integer.toHexString(identity);
  }
}
