package vtdiag.patch;

/** A lock that stays a monitor: its message is the reason for the user. */
final class DeclinedException extends Exception {
  private static final long serialVersionUID = 1L;

  DeclinedException(String reason) {
    super(reason);
  }
}
