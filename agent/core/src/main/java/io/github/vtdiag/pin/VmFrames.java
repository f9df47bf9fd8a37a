package io.github.vtdiag.pin;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LoaderFrames;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import java.util.List;
import java.util.Optional;

/** The frames that pin on every JDK: native frames, and Java that the JVM itself calls. */
final class VmFrames {
  private VmFrames() {}

  /** Adds the causes on a stack. */
  static void addTo(List<PinCause> causes, StackTrace stack) {
    List<Frame> frames = stack.frames();
    for (int depth = 0; depth < frames.size(); depth++) {
      at(frames, depth).ifPresent(causes::add);
    }
  }

  /** Returns the pin that the frame at that depth causes by itself; empty if it causes none. */
  static Optional<PinCause> at(List<Frame> frames, int depth) {
    Frame frame = frames.get(depth);
    if (frame.isClassInitializer()) {
      return Optional.of(new PinCause.ClassInitializer(depth, frame));
    }
    Optional<Frame> requester = LoaderFrames.requesterByName(frames, depth);
    if (requester.isPresent()) {
      return requester.map(caller -> new PinCause.ClassLoading(depth, caller));
    }
    Optional<NativeFrame> call = NativeCalls.at(frames, depth);
    if (call.isPresent()) {
      return call.map(PinCause.class::cast);
    }
    if (LoaderFrames.isCalledByJvm(frames, depth)) {
      return Optional.of(new PinCause.ClassLoading(depth, frames.get(depth + 1)));
    }
    return Optional.empty();
  }
}
