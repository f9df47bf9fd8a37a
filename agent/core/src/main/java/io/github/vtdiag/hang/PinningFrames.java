package io.github.vtdiag.hang;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LoaderFrames;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The frames of a stack that pin a thread, or keep a carrier from running threads. */
final class PinningFrames {
  private PinningFrames() {}

  /** Returns a frame that pins on every JDK. */
  static Optional<Frame> of(SeenThread thread) {
    return thread.frames().stream()
        .filter(frame -> frame.isClassInitializer() || (frame.isNative() && !frame.type().isJdk()))
        .findFirst();
  }

  /** Returns the frame for which the JVM loads a class by calling a loader. */
  static Optional<Frame> loading(SeenThread thread) {
    List<Frame> frames = thread.frames();
    return IntStream.range(0, frames.size())
        .filter(depth -> LoaderFrames.isCalledByJvm(frames, depth))
        .mapToObj(depth -> frames.get(depth + 1))
        .findFirst();
  }

  /** Returns the JDK's method in which other code makes a carrier wait. */
  static Optional<Frame> entered(SeenThread carrier) {
    List<Frame> frames = carrier.frames();
    return IntStream.range(1, frames.size())
        .filter(depth -> frames.get(depth).type().isJdk() && !frames.get(depth - 1).type().isJdk())
        .mapToObj(frames::get)
        .findFirst();
  }
}
