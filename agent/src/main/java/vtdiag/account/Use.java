package vtdiag.account;

/** What a carrier can be at. At each moment it is at one of these. */
public enum Use {
  /**
   * Carrying a thread that runs Java code, the JVM's own part of it included. This is time on the
   * carrier, not on a processor: a thread that could run and gets no processor counts.
   */
  JAVA,
  /** Carrying a thread that is in native code other than file I/O, computing or waiting there. */
  NATIVE,
  /** Carrying a thread that reads, writes or forces a file: that never leaves its carrier. */
  FILE,
  /** Carrying a thread that waits, and cannot leave. */
  PINNED,
  /** Carrying nothing. */
  IDLE,
  /** Nobody saw it. */
  UNKNOWN
}
