package io.github.vtdiag.upgrade;

/** What became of a recorded monitor in another version of its library. */
public sealed interface MonitorFate {

  /**
   * The way that the recorded threads took still takes a monitor there.
   *
   * @param where the method that takes it, where that is not the same one any more; else empty
   */
  record Taken(String where) implements MonitorFate {}

  /** No monitor; the method takes a lock of java.util.concurrent in its place. */
  record Locked() implements MonitorFate {}

  /** Neither a monitor nor a lock. */
  record Free() implements MonitorFate {}

  /** The method is not there any more, and no monitor was found where its callers lead now. */
  record Gone() implements MonitorFate {}

  /** Its class cannot be read. */
  record Unread() implements MonitorFate {}

  /** Whether the monitor is known not to be taken any more. */
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
