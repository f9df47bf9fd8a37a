package io.github.vtdiag.source;

/** The obstacle to a patch; the names are part of the JSON. */
public enum Obstacle {
  /** The sources are missing, unreadable, or do not match the classes. */
  SOURCES,
  /** The code has a form that is not rewritten. */
  FORM,
  /** The compiler rejects the patched file, or finds a monitor in it that should be gone. */
  COMPILER
}
