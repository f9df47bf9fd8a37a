package io.github.vtdiag.account;

/** The uses of a carrier. At each moment a carrier has one of them. */
public enum Use {
  /**
   * Carrying a thread that runs Java code, the JVM's own part of it included. This is time on the
   * carrier, not on a processor: a thread that could run and gets no processor counts.
   */
  JAVA("running Java code"),
  /** Carrying a thread that is in native code other than file I/O, computing or waiting there. */
  NATIVE("in native code"),
  /** Carrying a thread that reads, writes or forces a file: that never leaves its carrier. */
  FILE("in file I/O"),
  /** Carrying a thread that waits, and cannot leave. */
  PINNED("pinned"),
  /** Carrying nothing, and waiting, but not for work: an agent's code in the JDK makes it wait. */
  BLOCKED("blocked with no virtual thread on it"),
  /** Carrying nothing. */
  IDLE("idle"),
  /** Not observed. */
  UNKNOWN("not known");

  private final String text;

  Use(String text) {
    this.text = text;
  }

  /** Returns the words for it in reports. */
  public String text() {
    return text;
  }
}
