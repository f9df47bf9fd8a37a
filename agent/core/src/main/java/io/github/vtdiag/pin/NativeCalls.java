package io.github.vtdiag.pin;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.NativeFrame;
import java.util.List;
import java.util.Optional;

/**
 * Calls into native code that called back into Java: through a native method, or through the
 * foreign function interface, whose frames are all Java ({@code jdk.internal.foreign.abi}).
 */
final class NativeCalls {
  private static final String FOREIGN = "jdk.internal.foreign.abi.";

  private NativeCalls() {}

  /** Returns the native call at the end of a stack; empty if the thread is not in native code. */
  static Optional<NativeFrame> innermost(List<Frame> frames) {
    int depth = 0;
    while (depth < frames.size() && isGlue(frames.get(depth))) {
      if (isStub(frames.get(depth), "Downcall")) {
        return Optional.of(foreign(frames, depth));
      }
      depth++;
    }
    return depth < frames.size() && frames.get(depth).isNative()
        ? Optional.of(nativeMethod(frames, depth))
        : Optional.empty();
  }

  /** Returns the native call of the frame at that depth, if the native code called back. */
  static Optional<NativeFrame> at(List<Frame> frames, int depth) {
    Frame frame = frames.get(depth);
    // The innermost frame is the blocking call itself; Object.wait0 has none above it either.
    if (depth == 0) {
      return Optional.empty();
    }
    if (frame.isNative()) {
      return frame.type().name().equals("jdk.internal.vm.Continuation")
          ? Optional.empty()
          : Optional.of(nativeMethod(frames, depth));
    }
    return isStub(frame, "Downcall") && isCalledBack(frames, depth)
        ? Optional.of(foreign(frames, depth))
        : Optional.empty();
  }

  private static NativeFrame nativeMethod(List<Frame> frames, int depth) {
    Frame frame = frames.get(depth);
    return new NativeFrame(
        depth,
        frame,
        frame.type().isJdk() ? NativeFrame.Kind.JDK : NativeFrame.Kind.JNI,
        frame(frames, outside(frames, depth + 1, 1)),
        frame(frames, outside(frames, depth - 1, -1)));
  }

  /** Returns the caller, because the frame of the native code itself is on no stack. */
  private static NativeFrame foreign(List<Frame> frames, int depth) {
    int caller = outside(frames, depth, 1);
    int at = caller < 0 ? depth : caller;
    return new NativeFrame(
        at,
        frames.get(at),
        NativeFrame.Kind.FFM,
        frame(frames, caller),
        frame(frames, outside(frames, depth, -1)));
  }

  /**
   * Returns whether the next frame that is no glue is an upcall's. Otherwise this stub is still in
   * its native call, or is one of several for one call.
   */
  private static boolean isCalledBack(List<Frame> frames, int depth) {
    for (int inner = depth - 1; inner >= 0 && isGlue(frames.get(inner)); inner--) {
      if (isStub(frames.get(inner), "Upcall")) {
        return true;
      }
      if (isStub(frames.get(inner), "Downcall")) {
        return false;
      }
    }
    return false;
  }

  /** Returns the depth of the first application frame outwards (1) or inwards (-1), or -1. */
  private static int outside(List<Frame> frames, int from, int step) {
    for (int depth = from; depth >= 0 && depth < frames.size(); depth += step) {
      if (!isGlue(frames.get(depth))) {
        return depth;
      }
    }
    return -1;
  }

  private static Optional<Frame> frame(List<Frame> frames, int depth) {
    return depth < 0 ? Optional.empty() : Optional.of(frames.get(depth));
  }

  /**
   * Returns whether it is a {@code DowncallStub} or {@code UpcallStub}, or a linker without
   * specialization.
   */
  private static boolean isStub(Frame frame, String direction) {
    return frame.type().name().startsWith(FOREIGN + direction);
  }

  /** Returns whether it is a JDK frame between the caller of a method handle and its target. */
  private static boolean isGlue(Frame frame) {
    String name = frame.type().name();
    return name.startsWith("java.lang.invoke.") || name.startsWith(FOREIGN);
  }
}
