package vtdiag.model;

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
 */
public record PinEpisode(
    Kind kind,
    long startNanos,
    long durationNanos,
    ThreadRef thread,
    StackTrace stack,
    Optional<String> pinnedReason,
    Optional<String> blockingOperation,
    Optional<String> lockClass) {

  /** The event an episode was read from. */
  public enum Kind {
    /** {@code jdk.VirtualThreadPinned}: on 21 to 23 a park while pinned, on 24+ any blocking. */
    PINNED,
    /** {@code jdk.JavaMonitorEnter} of a virtual thread on JDK 21 to 23. */
    MONITOR_ENTER,
    /** {@code jdk.JavaMonitorWait} of a virtual thread on JDK 21 to 23. */
    MONITOR_WAIT
  }

  public long endNanos() {
    return startNanos + durationNanos;
  }
}
