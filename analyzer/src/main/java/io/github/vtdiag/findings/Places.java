package io.github.vtdiag.findings;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The places of stacks in code outside the JDK; equal stacks are examined once. */
final class Places {
  private final Function<ClassRef, Owner> owners;
  private final Map<ClassRef, Owner> known = new HashMap<>();
  private final IdentityHashMap<StackTrace, Optional<Frame>> application = new IdentityHashMap<>();

  Places(Function<ClassRef, Owner> owners) {
    this.owners = owners;
  }

  /** Returns the innermost frame of the application. */
  Optional<Frame> application(StackTrace stack) {
    return application.computeIfAbsent(stack, s -> first(s.frames(), this::isApplication));
  }

  /** Returns the innermost frame that is not the JDK's. */
  static Optional<Frame> outsideJdk(List<Frame> frames) {
    return first(frames, Places::isWritten);
  }

  boolean isApplication(Frame frame) {
    return isWritten(frame) && owner(frame) instanceof Owner.Application;
  }

  Owner owner(Frame frame) {
    return known.computeIfAbsent(frame.type(), owners);
  }

  private static boolean isWritten(Frame frame) {
    return frame.type().isWritten();
  }

  private static Optional<Frame> first(List<Frame> frames, Predicate<Frame> wanted) {
    for (Frame frame : frames) {
      if (wanted.test(frame)) {
        return Optional.of(frame);
      }
    }
    return Optional.empty();
  }
}
