package io.github.vtdiag.program;

import java.io.Serial;

/** Thrown when a class cannot be examined further that was there when the program was read. */
public final class UnreadableClassException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final transient UnreadClass unread;

  UnreadableClassException(UnreadClass unread, Throwable cause) {
    super(unread.text(), cause);
    this.unread = unread;
  }

  public UnreadClass unread() {
    return unread;
  }
}
