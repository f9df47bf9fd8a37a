package io.github.vtdiag.model;

import java.util.List;
import java.util.Optional;

/** Frames of class loaders. */
public final class LoaderFrames {
  private LoaderFrames() {}

  /**
   * Returns whether the JVM itself called the loader's frame at that depth, to load a class for the
   * frame that called it. Inside a loader, {@code loadClass} delegates to {@code loadClass}.
   */
  public static boolean isCalledByJvm(List<Frame> frames, int depth) {
    return depth + 1 < frames.size()
        && isLoadClass(frames.get(depth))
        && !isLoader(frames.get(depth + 1));
  }

  /**
   * Returns the frame that asked for a class by its name, if the frame at that depth is the native
   * method of {@code Class.forName} that called a loader.
   */
  public static Optional<Frame> requesterByName(List<Frame> frames, int depth) {
    return depth > 0
            && frames.get(depth).is("java.lang.Class", "forName0")
            && isLoadClass(frames.get(depth - 1))
        ? frames.stream()
            .skip(depth)
            .filter(frame -> !frame.type().name().equals("java.lang.Class"))
            .findFirst()
        : Optional.empty();
  }

  /** Stacks that another thread took have no descriptors. */
  private static boolean isLoadClass(Frame frame) {
    return frame.method().equals("loadClass")
        && (frame.descriptor().isEmpty()
            || frame.descriptor().equals("(Ljava/lang/String;)Ljava/lang/Class;"));
  }

  private static boolean isLoader(Frame frame) {
    return frame.method().equals("loadClass")
        || frame.method().equals("findClass")
        || frame.type().name().startsWith("java.lang.ClassLoader")
        || frame.type().name().equals("java.lang.Class")
        || frame.type().name().startsWith("jdk.internal.loader.");
  }
}
