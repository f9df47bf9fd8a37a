package io.github.vtdiag.model;

import java.util.List;

/** An error for input that cannot be used; its message is one sentence for the user. */
public final class DataException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> quoted;

  public DataException(String message) {
    this(message, List.of());
  }

  /** Creates one with lines to quote below the sentence, such as the output of a program. */
  public DataException(String message, List<String> quoted) {
    super(message);
    this.quoted = List.copyOf(quoted);
  }

  public DataException(String message, Throwable cause) {
    super(message, cause);
    this.quoted = List.of();
  }

  public List<String> quoted() {
    return quoted;
  }
}
