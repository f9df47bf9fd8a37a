package io.github.vtdiag.advice;

import io.github.vtdiag.model.ClassRef;

/** The sources that the user has. */
@FunctionalInterface
public interface OwnSources {
  /** Whether one of them is of this class: then it can be changed, whatever its jar says. */
  boolean has(ClassRef type);

  /** Whether the user named any. */
  default boolean areNamed() {
    return false;
  }
}
