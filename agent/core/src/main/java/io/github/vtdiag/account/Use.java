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
  /** Carrying a thread in file I/O, which does not unmount it. */
  FILE("in file I/O"),
  /** Carrying a thread that waits, and cannot leave. */
  PINNED("pinned"),
  /** Blocked with no virtual thread on it, in code that an agent put into the JDK. */
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
