package io.github.vtdiag.pin;

/**
 * A look at what the virtual threads wait for that have left their carriers.
 *
 * @param startNanos when, in nanoseconds since the epoch
 * @param number which one of that JVM
 * @param alive how many virtual threads there were
 * @param looked how many of them it looked at closely; chosen by lot if not all
 * @param waiting how many of these waited without a carrier
 * @param followed whether it knows how long they have waited; an older agent does not say
 */
public record WaitLook(
    long startNanos, long number, long alive, int looked, int waiting, boolean followed) {
  /** Reads one. */
  public static WaitLook of(EventValues event) {
    return new WaitLook(
        event.startNanos(),
        event.number("look"),
        event.number("alive"),
        (int) event.number("looked"),
        (int) event.number("waiting"),
        event.number("followed") != 0);
  }
}
