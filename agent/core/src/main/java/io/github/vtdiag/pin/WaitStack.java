package io.github.vtdiag.pin;

import io.github.vtdiag.model.StackTrace;

/**
 * The stack that has this number in the snapshots of one JVM.
 *
 * @param lent whether its thread waits at a queue that is a pool: its code puts back what it takes
 */
public record WaitStack(int number, StackTrace stack, boolean lent) {
  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if its text is malformed
   */
  public static WaitStack of(EventValues event) {
    return new WaitStack(
        (int) event.number("number"),
        new StackTrace(StackText.parse(event.text("frames")), event.number("truncated") != 0),
        event.number("lent") != 0);
  }
}
