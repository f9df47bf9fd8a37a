package io.github.vtdiag.compare;

/**
 * The exception for a request that cannot be compared; the message is one sentence that says what
 * to change.
 */
public final class WrongPlanException extends Exception {
  private static final long serialVersionUID = 1L;

  WrongPlanException(String message) {
    super(message);
  }
}
