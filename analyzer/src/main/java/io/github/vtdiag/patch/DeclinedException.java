package io.github.vtdiag.patch;

/** The reason why a lock has to stay a monitor; the message is for the user. */
final class DeclinedException extends Exception {
  private static final long serialVersionUID = 1L;

  final Patch.Obstacle obstacle;

  /** Creates one for the form of the code. */
  DeclinedException(String reason) {
    this(Patch.Obstacle.FORM, reason);
  }

  DeclinedException(Patch.Obstacle obstacle, String reason) {
    super(reason);
    this.obstacle = obstacle;
  }

  /** Creates one for sources that are missing, unreadable, or do not match the classes. */
  static DeclinedException ofSources(String reason) {
    return new DeclinedException(Patch.Obstacle.SOURCES, reason);
  }
}
