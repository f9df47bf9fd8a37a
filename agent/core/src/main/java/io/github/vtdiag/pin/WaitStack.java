package io.github.vtdiag.pin;

import io.github.vtdiag.model.StackTrace;

/** The stack that has this number in the snapshots of one JVM. */
public record WaitStack(int number, StackTrace stack) {
  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if its text is malformed
   */
  public static WaitStack of(EventValues event) {
    return new WaitStack(
        (int) event.number("number"),
        new StackTrace(StackText.parse(event.text("frames")), event.number("truncated") != 0));
  }
}
