package io.github.vtdiag.model;

/** The reasons why a waiting thread could not unmount. */
public enum PinReason {
  /** It holds a monitor (Java 21 to 23). */
  MONITOR,
  /** It waits to enter a monitor (Java 21 to 23). */
  MONITOR_ENTRY,
  /** It is in {@code Object.wait} (Java 21 to 23). */
  OBJECT_WAIT,
  /** Native code called back into Java. */
  NATIVE_FRAME,
  /** It initializes or loads a class, or waits for one that is being initialized. */
  CLASS,
  /** The events do not show it. */
  UNEXPLAINED,
  /** Too short for an event of its own; the watch saw it. */
  SHORT
}
