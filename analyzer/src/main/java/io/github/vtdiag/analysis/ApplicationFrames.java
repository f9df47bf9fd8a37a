package io.github.vtdiag.analysis;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.program.Owner;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The nearest frame of the application on each stack of one recording. Equal stacks are one object,
 * and so are equal frames: each is examined once.
 */
final class ApplicationFrames {
  private final Map<ClassRef, Owner> owners;
  private final IdentityHashMap<Frame, Boolean> frames = new IdentityHashMap<>();
  private final IdentityHashMap<StackTrace, Optional<Frame>> stacks = new IdentityHashMap<>();

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

  Optional<Frame> nearest(StackTrace stack) {
    return stacks.computeIfAbsent(
        stack,
        s ->
            s.frames().stream()
                .filter(frame -> frames.computeIfAbsent(frame, this::isOfApplication))
                .findFirst());
  }

  private boolean isOfApplication(Frame frame) {
    return canBeOfApplication(frame.type())
        && owners.get(frame.type()) instanceof Owner.Application;
  }
}
