package io.github.vtdiag.hang;

/**
 * The state in which a fault of the JDK leaves a virtual thread for ever. It is named as in {@code
 * java.lang.VirtualThread}.
 */
public enum StuckState {
  /** Unmounted, waiting to be unparked. */
  PARKED,
  /** Unmounted, waiting to enter a monitor. */
  BLOCKED,
  /** Kept on its carrier. */
  PINNED
}
