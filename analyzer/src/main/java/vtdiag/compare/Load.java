package vtdiag.compare;

/** How requests are sent. */
public sealed interface Load {
  /** A number of users, each sending its next request when the previous one was answered. */
  record Closed(int users) implements Load {}

  /** A number of requests per second, however long the responses take. */
  record Open(double perSecond) implements Load {}
}
