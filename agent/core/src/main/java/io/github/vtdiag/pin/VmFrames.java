package io.github.vtdiag.pin;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import java.util.List;
import java.util.Optional;

/** What pins on every JDK: native frames, and Java that the JVM itself calls. */
final class VmFrames {
  private VmFrames() {}

  /** Adds those of a stack. */
  static void addTo(List<PinCause> causes, StackTrace stack) {
    List<Frame> frames = stack.frames();
    for (int depth = 0; depth < frames.size(); depth++) {
      at(frames, depth).ifPresent(causes::add);
    }
  }

  /** What the frame at that depth pins by itself, if it does. */
  static Optional<PinCause> at(List<Frame> frames, int depth) {
    Frame frame = frames.get(depth);
    if (frame.isClassInitializer()) {
      return Optional.of(new PinCause.ClassInitializer(depth, frame));
    }
    Optional<PinCause.NativeFrame> call = NativeCalls.at(frames, depth);
    if (call.isPresent()) {
      return call.map(PinCause.class::cast);
    }
    if (isLoadClass(frame) && depth + 1 < frames.size()) {
      Frame caller = frames.get(depth + 1);
      // Inside a loader loadClass delegates to loadClass; outside, the JVM is what calls it.
      if (!isLoaderFrame(caller)) {
        return Optional.of(new PinCause.ClassLoading(depth, caller));
      }
    }
    return Optional.empty();
  }

  private static boolean isLoadClass(Frame frame) {
    return frame.method().equals("loadClass")
        && frame.descriptor().equals("(Ljava/lang/String;)Ljava/lang/Class;");
  }

  private static boolean isLoaderFrame(Frame frame) {
    return frame.method().equals("loadClass")
        || frame.method().equals("findClass")
        || frame.type().name().startsWith("java.lang.ClassLoader")
        || frame.type().name().equals("java.lang.Class")
        || frame.type().name().startsWith("jdk.internal.loader.");
  }
}
