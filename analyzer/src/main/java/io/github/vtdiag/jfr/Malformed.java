package io.github.vtdiag.jfr;

/** Bytes that violate the format. Caught where reading can go on. */
public final class Malformed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Malformed(String message) {
    // No stack trace: a damaged chunk can hold one for each of its events.
    super(message, null, false, false);
  }
}
