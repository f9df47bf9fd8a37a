package io.github.vtdiag.hang;

/**
 * The state in which a fault of the JDK leaves a virtual thread for ever, by the name that {@code
 * java.lang.VirtualThread} gives it.
 */
public enum StuckState {
  /** Unmounted, waiting to be unparked. */
  PARKED,
  /** Unmounted, waiting to enter a monitor. */
  BLOCKED,
  /** Kept on its carrier. */
  PINNED
}
