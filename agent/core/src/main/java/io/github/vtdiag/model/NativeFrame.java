package io.github.vtdiag.model;

import java.util.Optional;

/**
 * A call into native code, which blocked there or in the Java that it called back.
 *
 * @param frame the native method; of the foreign function interface, whose native frames no stack
 *     shows, the method that called
 * @param calledBy the method that called into native code, if the stack shows it
 * @param calledBack the method that native code called, if the stack shows it; empty too if the
 *     native code itself blocked
 */
public record NativeFrame(
    int depth, Frame frame, Kind kind, Optional<Frame> calledBy, Optional<Frame> calledBack)
    implements PinCause {

  /** The ways in which Java and native code call each other. */
  public enum Kind {
    /** A native method of the application or a library. */
    JNI,
    /** The foreign function interface, {@code java.lang.foreign}. */
    FFM,
    /** A native method of the JDK. */
    JDK
  }

  @Override
  public Optional<Frame> at() {
    return Optional.of(frame);
  }

  @Override
  public String text() {
    String back = calledBack.map(f -> " that calls back " + method(f)).orElse(" that blocks");
    return switch (kind) {
      case JNI -> "native method" + back + calledBy.map(f -> ", called by " + method(f)).orElse("");
      case FFM -> "foreign function" + back;
      case JDK -> "native method of the JDK" + back;
    };
  }

  @Override
  public String clause() {
    boolean calls = calledBack.isPresent();
    return switch (kind) {
      case JNI, JDK ->
          (calls ? "called through" : "in")
              + " native method "
              + frame.qualifiedMethod()
              + calledBy
                  .filter(caller -> !calls)
                  .map(caller -> ", called at " + position(caller))
                  .orElse("");
      case FFM ->
          (calls ? "called by a" : "in a") + " foreign function from " + frame.qualifiedMethod();
    };
  }

  @Override
  public PinReason reason() {
    return PinReason.NATIVE_FRAME;
  }

  private static String method(Frame frame) {
    return frame.type().simpleName() + "." + frame.method();
  }

  private static String position(Frame frame) {
    return Figures.position(frame.type(), frame.line());
  }
}
