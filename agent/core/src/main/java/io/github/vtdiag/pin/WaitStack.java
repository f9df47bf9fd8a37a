package io.github.vtdiag.pin;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.KnownWaits;

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

  /**
   * Returns what a thread with this stack waits for. An object that is put back is one of a pool.
   *
   * @param state how it waits
   */
  public Awaited awaited(Thread.State state) {
    Awaited awaited = KnownWaits.of(stack, state);
    return lent && awaited.kind() == Awaited.Kind.IDLE
        ? awaited.as(Awaited.Kind.POOL, awaited.inside())
        : awaited;
  }
}
