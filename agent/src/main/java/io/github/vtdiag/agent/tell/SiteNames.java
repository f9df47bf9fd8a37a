package io.github.vtdiag.agent.tell;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.WrittenFrames;
import io.github.vtdiag.waits.KnownPools;
import java.util.List;
import java.util.Optional;

/** The names of sites where the frame with the cause says little of the place. */
final class SiteNames {
  private SiteNames() {}

  /**
   * Returns the name of a site. A thread that takes its monitor again after {@code Object.wait} is
   * in a method of Object, which says nothing of the place; a monitor of the JDK's is named with
   * the code that uses it.
   */
  static String of(PinCause cause, StackTrace stack) {
    Optional<Frame> user = user(cause, stack);
    if (user.isPresent()) {
      return user.get().qualifiedMethod() + ", inside " + cause.summary();
    }
    return cause
            .at()
            .filter(SiteNames::isOfObject)
            .flatMap(
                frame -> stack.frames().stream().filter(below -> !isOfObject(below)).findFirst())
            .filter(Frame::isNamed)
            .map(caller -> caller.qualifiedMethod() + ", " + cause.text())
            .orElseGet(cause::summary)
        + pool(cause, stack);
  }

  /** Returns the pool whose object a thread in {@code Object.wait} waits for, and who asked. */
  private static String pool(PinCause cause, StackTrace stack) {
    return cause instanceof PinCause.ObjectWait
        ? KnownPools.askedBy(stack.frames())
            .map(asked -> ", for " + asked.pool() + " in " + asked.asked().qualifiedMethod())
            .orElse("")
        : "";
  }

  /** Returns the cause as a live warning has it, with the code that uses a monitor of the JDK's. */
  static String clause(PinCause cause, StackTrace stack) {
    return cause.clause() + user(cause, stack).map(user -> ", called by " + user).orElse("");
  }

  /** Returns the code that called the method of the JDK which has the monitor, if there is any. */
  private static Optional<Frame> user(PinCause cause, StackTrace stack) {
    List<Frame> frames = stack.frames();
    return cause instanceof PinCause.OfMonitor
        ? cause
            .at()
            .filter(frame -> frame.type().isJdk() && !isOfObject(frame))
            .map(frame -> frames.subList(frames.indexOf(frame) + 1, frames.size()))
            .flatMap(callers -> WrittenFrames.outsideJdk(callers).findFirst())
            .filter(Frame::isNamed)
        : Optional.empty();
  }

  private static boolean isOfObject(Frame frame) {
    return frame.type().name().equals("java.lang.Object");
  }
}
