package io.github.vtdiag.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The frames of a stack by which a place in a program is named. */
public final class WrittenFrames {
  /** Code between a caller and its target where a language finds the target at run time. */
  private static final List<String> DISPATCH =
      List.of("groovy.lang.", "org.codehaus.groovy.", "org.apache.groovy.", "scala.runtime.");

  private WrittenFrames() {}

  /** Returns whether somebody wrote a call there, other than the runtime of a language. */
  public static boolean canCall(Frame frame) {
    return frame.type().isWritten() && DISPATCH.stream().noneMatch(frame.type().name()::startsWith);
  }

  /**
   * Returns the innermost frame in which somebody wrote a call; if there is none, the innermost
   * outside the JDK.
   */
  public static Optional<Frame> innermost(List<Frame> frames) {
    return frames.stream()
        .filter(WrittenFrames::canCall)
        .findFirst()
        .or(() -> outsideJdk(frames).findFirst());
  }

  /** Returns the frames that are not the JDK's, the innermost first. */
  public static Stream<Frame> outsideJdk(List<Frame> frames) {
    return frames.stream().filter(frame -> !frame.type().isJdk());
  }
}
