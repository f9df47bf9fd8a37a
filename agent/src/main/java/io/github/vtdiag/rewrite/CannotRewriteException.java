package io.github.vtdiag.rewrite;

/** A class whose monitors cannot be replaced; the message says which and why. */
public final class CannotRewriteException extends Exception {
  private static final long serialVersionUID = 1L;

  CannotRewriteException(String message) {
    super(message);
  }
}
