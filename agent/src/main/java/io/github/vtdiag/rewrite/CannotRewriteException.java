package io.github.vtdiag.rewrite;

/** Thrown if the monitors of a class cannot be replaced; the message says which and why. */
public final class CannotRewriteException extends Exception {
  private static final long serialVersionUID = 1L;

  CannotRewriteException(String message) {
    super(message);
  }
}
