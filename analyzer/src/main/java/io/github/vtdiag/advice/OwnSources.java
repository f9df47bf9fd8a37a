package io.github.vtdiag.advice;

import io.github.vtdiag.model.ClassRef;

/** The sources that the user has. */
@FunctionalInterface
public interface OwnSources {
  /**
   * Returns whether the user has the source of this class, and can change it whatever its jar says.
   */
  boolean has(ClassRef type);

  /** Returns whether the user named any sources. */
  default boolean areNamed() {
    return false;
  }
}
