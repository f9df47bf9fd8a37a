package io.github.vtdiag.model;

import java.util.Optional;

/**
 * A time during which a virtual thread that was blocked kept its carrier.
 *
 * @param kind which event told of it
 * @param startNanos when it began, in nanoseconds since the epoch
 * @param durationNanos how long it lasted, in nanoseconds
 * @param thread the virtual thread
 * @param stack its stack while it was blocked
 * @param pinnedReason HotSpot's words for why it could not unmount (JDK 24+ only)
 * @param blockingOperation the operation as the event names it (JDK 24+ only)
 * @param lockClass the class of the object it waited on or wanted to lock; not told of a park
 * @param ended whether it was over when the recording ended; if not, it lasted at least so long
 */
public record PinEpisode(
    Kind kind,
    long startNanos,
    long durationNanos,
    ThreadRef thread,
    StackTrace stack,
    Optional<String> pinnedReason,
    Optional<String> blockingOperation,
    Optional<String> lockClass,
    boolean ended) {

  /** One that a JDK event tells, which is written when it ends. */
  public PinEpisode(
      Kind kind,
      long startNanos,
      long durationNanos,
      ThreadRef thread,
      StackTrace stack,
      Optional<String> pinnedReason,
      Optional<String> blockingOperation,
      Optional<String> lockClass) {
    this(
        kind,
        startNanos,
        durationNanos,
        thread,
        stack,
        pinnedReason,
        blockingOperation,
        lockClass,
        true);
  }

  /** What an episode was: the event that tells of it, or would have if it had ended. */
  public enum Kind {
    /** {@code jdk.VirtualThreadPinned}: on 21 to 23 a park while pinned, on 24+ any blocking. */
    PINNED,
    /** {@code jdk.JavaMonitorEnter} of a virtual thread on JDK 21 to 23. */
    MONITOR_ENTER,
    /** {@code jdk.JavaMonitorWait} of a virtual thread on JDK 21 to 23. */
    MONITOR_WAIT,
    /** Blocked in native code, which no event of the JDK tells: the agent's watch saw it. */
    NATIVE
  }

  /** The same with another stack. */
  public PinEpisode withStack(StackTrace other) {
    return new PinEpisode(
        kind,
        startNanos,
        durationNanos,
        thread,
        other,
        pinnedReason,
        blockingOperation,
        lockClass,
        ended);
  }

  public long endNanos() {
    return startNanos + durationNanos;
  }
}
