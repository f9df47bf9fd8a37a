package io.github.vtdiag.pin;

/**
 * The state of a pool at a snapshot of waiting threads.
 *
 * @param look the number of the snapshot
 * @param pool its kind, as the known pools are named
 * @param name its own name; empty if it has none
 * @param bound the most objects it may have
 * @param inUse the number of them that were lent out
 * @param waiting the number of threads that waited for one; -1 if the pool does not count them
 */
public record SeenPool(long look, String pool, String name, long bound, long inUse, long waiting) {
  /** The agent's event for it. */
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
