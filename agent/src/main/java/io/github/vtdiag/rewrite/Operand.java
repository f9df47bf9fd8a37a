package io.github.vtdiag.rewrite;

import java.util.Objects;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.analysis.BasicValue;

/** The known facts about a value that may be locked: its static type and its origin. */
final class Operand extends BasicValue {
  /** The origin of a value. */
  enum Origin {
    /** Any other origin. */
    OTHER,
    /**
     * A new object of just this type, in a variable or in a final field that holds nothing else.
     */
    NEW,
    /** The receiver of the method. */
    THIS,
    /** A class literal; then the type is the one it names. */
    CLASS_LITERAL,
    /** The result of {@code ClassLoader.getClassLoadingLock}, which the JDK locks too. */
    CLASS_LOADING_LOCK,
    /**
     * The field {@code lock} of a subclass of {@code Reader} or {@code Writer}, which the JDK locks
     * too.
     */
    STREAM_LOCK
  }

  private final Origin origin;

  Operand(Type type, Origin origin) {
    super(type);
    this.origin = origin;
  }

  Origin origin() {
    return origin;
  }

  /** The internal name of the static type. */
  String typeName() {
    return getType().getInternalName();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Operand value && origin == value.origin && super.equals(other);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), origin);
  }
}
