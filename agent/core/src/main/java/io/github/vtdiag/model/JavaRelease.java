package io.github.vtdiag.model;

/** The Java releases between which the pinning of virtual threads differs. */
public final class JavaRelease {
  /** The first release on which a monitor no longer pins (JEP 491). */
  public static final int UNPINNED_MONITORS = 24;

  private JavaRelease() {}
}
