package io.github.vtdiag.upgrade;

/** The fate of a recorded monitor in another version of its library. */
public sealed interface MonitorFate {

  /**
   * The path of the recorded threads still takes a monitor there.
   *
   * @param where the method that takes it, if that is another one now; else empty
   */
  record Taken(String where) implements MonitorFate {}

  /** The method takes a lock of java.util.concurrent in place of the monitor. */
  record Locked() implements MonitorFate {}

  /** The method takes neither a monitor nor a lock. */
  record Free() implements MonitorFate {}

  /** The method is not there any more, and no monitor was found on its callers' new paths. */
  record Gone() implements MonitorFate {}

  /** The class cannot be read. */
  record Unread() implements MonitorFate {}

  /** Returns whether the monitor is known not to be taken any more. */
  default boolean isFree() {
    return switch (this) {
      case Locked locked -> true;
      case Free free -> true;
      case Gone gone -> true;
      case Taken taken -> false;
      case Unread unread -> false;
    };
  }
}
