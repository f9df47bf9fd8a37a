package io.github.vtdiag.model;

/** The Java releases between which the pinning of virtual threads differs. */
public final class JavaRelease {
  /** The first release on which a monitor no longer pins (JEP 491). */
  public static final int UNPINNED_MONITORS = 24;

  /** The first release on which a wait for another thread's class initializer no longer pins. */
  public static final int UNPINNED_INITIALIZATION = 26;

  private JavaRelease() {}
}
