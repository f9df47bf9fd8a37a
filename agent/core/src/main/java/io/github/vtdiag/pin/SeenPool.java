package io.github.vtdiag.pin;

/**
 * What a pool said of itself at a look at waiting threads.
 *
 * @param look the number of the look
 * @param pool which sort it is, as the known pools are named
 * @param name its own name; empty if it has none
 * @param bound how many objects it may have
 * @param inUse how many of them were lent out
 * @param waiting how many threads waited for one; -1 if it does not tell
 */
public record SeenPool(long look, String pool, String name, long bound, long inUse, long waiting) {
  /** The agent's own event that tells it. */
  public static final String EVENT = "vtdiag.WaitPool";

  /** Reads one. */
  public static SeenPool of(EventValues event) {
    return new SeenPool(
        event.number("look"),
        event.text("pool"),
        event.text("name"),
        event.number("bound"),
        event.number("inUse"),
        event.number("waiting"));
  }
}
