package io.github.vtdiag.model;

import java.util.Optional;

/**
 * A time during which a blocked virtual thread occupied its carrier.
 *
 * @param kind the kind of its event
 * @param startNanos when it began, in nanoseconds since the epoch
 * @param durationNanos its length in nanoseconds
 * @param thread the virtual thread
 * @param stack its stack while it was blocked
 * @param pinnedReason HotSpot's reason why it could not unmount (JDK 24+ only)
 * @param blockingOperation the operation as the event names it (JDK 24+ only)
 * @param lockClass the class of the object it waited on or wanted to lock; not recorded for a park
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

  /** Creates one from an event of the JDK, which is written when it ends. */
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

  /** The kinds of episode, by the event that reports it, or would have if it had ended. */
  public enum Kind {
    /** {@code jdk.VirtualThreadPinned}: on 21 to 23 a park while pinned, on 24+ any blocking. */
    PINNED,
    /** {@code jdk.JavaMonitorEnter} of a virtual thread on JDK 21 to 23. */
    MONITOR_ENTER,
    /** {@code jdk.JavaMonitorWait} of a virtual thread on JDK 21 to 23. */
    MONITOR_WAIT,
    /** Blocked in native code. The JDK has no event for it: the agent's watch saw it. */
    NATIVE
  }

  /** Returns the same episode with another stack. */
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
