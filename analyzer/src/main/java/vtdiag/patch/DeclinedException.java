package vtdiag.patch;

/** A lock that stays a monitor: its message is the reason for the user. */
final class DeclinedException extends Exception {
  private static final long serialVersionUID = 1L;

  final Patch.Obstacle obstacle;

  /** For what the code is like. */
  DeclinedException(String reason) {
    this(Patch.Obstacle.FORM, reason);
  }

  DeclinedException(Patch.Obstacle obstacle, String reason) {
    super(reason);
    this.obstacle = obstacle;
  }

  /** For sources that are not there, cannot be read, or are not those of the classes. */
  static DeclinedException ofSources(String reason) {
    return new DeclinedException(Patch.Obstacle.SOURCES, reason);
  }
}
