package io.github.vtdiag.analysis;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The frame of the application that led to a cause, on each stack of one recording. Equal frames
 * are one object: each is examined once.
 */
final class ApplicationFrames {
  private final Map<ClassRef, Owner> owners;
  private final IdentityHashMap<Frame, Boolean> frames = new IdentityHashMap<>();

  /**
   * @param owners the owners of at least the {@link Attributed#classesOnStacks}
   */
  ApplicationFrames(Map<ClassRef, Owner> owners) {
    this.owners = owners;
  }

  /**
   * Returns whether a class can be in the application's sources, if it turns out to be its code.
   */
  static boolean canBeOfApplication(ClassRef type) {
    // Recordings have frames without a class; those have no owner.
    return type.isWritten();
  }

  /**
   * Returns the nearest frame at the cause or below it. Frames above it, as of a function that a
   * library calls back while it holds its lock, did not lead there; they count if there is no
   * other.
   *
   * @param depth of the cause; negative if it is unknown
   */
  Optional<Frame> nearest(StackTrace stack, int depth) {
    return nearest(stack.frames().stream().skip(Math.max(0, depth)))
        .or(() -> nearest(stack.frames().stream()));
  }

  private Optional<Frame> nearest(Stream<Frame> from) {
    return from.filter(frame -> frames.computeIfAbsent(frame, this::isOfApplication)).findFirst();
  }

  private boolean isOfApplication(Frame frame) {
    return canBeOfApplication(frame.type())
        && owners.get(frame.type()) instanceof Owner.Application;
  }
}
