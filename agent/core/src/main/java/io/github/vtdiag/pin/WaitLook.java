package io.github.vtdiag.pin;

/**
 * A snapshot of the virtual threads that wait without a carrier.
 *
 * @param startNanos when, in nanoseconds since the epoch
 * @param number its number in that JVM
 * @param alive the number of virtual threads
 * @param looked the number of them that were examined; chosen at random if not all
 * @param waiting the number of these that waited without a carrier
 * @param followed whether it knows how long they have waited; older agents do not
 * @param came whether a new virtual thread has run shortly before, which may have ended
 */
public record WaitLook(
    long startNanos,
    long number,
    long alive,
    int looked,
    int waiting,
    boolean followed,
    boolean came) {
  /** Reads one. */
  public static WaitLook of(EventValues event) {
    return new WaitLook(
        event.startNanos(),
        event.number("look"),
        event.number("alive"),
        (int) event.number("looked"),
        (int) event.number("waiting"),
        event.number("followed") != 0,
        event.number("came") != 0);
  }

  /** Returns the number of virtual threads, one more if threads come and go between snapshots. */
  public long goingOn() {
    return came ? alive + 1 : alive;
  }
}
