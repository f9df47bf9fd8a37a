package io.github.vtdiag.compare;

/** The way in which requests are sent. */
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

    /** Makes an open load with as many requests in flight as a server usually needs. */
    public Open(double perSecond) {
      this(perSecond, USUAL);
    }
  }
}
