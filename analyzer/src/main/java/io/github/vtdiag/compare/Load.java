package io.github.vtdiag.compare;

/** How requests are sent. */
public sealed interface Load {
  /** A number of users, each sending its next request when the previous one was answered. */
  record Closed(int users) implements Load {}

  /**
   * A number of requests per second, however long the responses take.
   *
   * @param mostInFlight further requests wait until fewer than this are in flight
   */
  record Open(double perSecond, int mostInFlight) implements Load {
    private static final int USUAL = 1_000;

    /** With as many in flight as a server of its own usually needs. */
    public Open(double perSecond) {
      this(perSecond, USUAL);
    }
  }
}
