package vtdiag.compare;

/** How requests are sent. */
public sealed interface Load {
  /** So many users, each of whom sends a request when the one before was answered. */
  record Closed(int users) implements Load {}

  /** So many requests a second, however long the answers take. */
  record Open(double perSecond) implements Load {}
}
