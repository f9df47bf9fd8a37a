package io.github.vtdiag.source;

import io.github.vtdiag.safety.Lock.Identity.LocalVariable;
import java.nio.file.Path;

/** The reason why a lock has to stay a monitor; the message is for the user. */
public final class DeclinedException extends Exception {
  private static final long serialVersionUID = 1L;

  public final Obstacle obstacle;

  /** Creates one for the form of the code. */
  public DeclinedException(String reason) {
    this(Obstacle.FORM, reason);
  }

  public DeclinedException(Obstacle obstacle, String reason) {
    super(reason);
    this.obstacle = obstacle;
  }

  /** Creates one for sources that are missing, unreadable, or do not match the classes. */
  public static DeclinedException ofSources(String reason) {
    return new DeclinedException(Obstacle.SOURCES, reason);
  }

  /** Creates one for a file that may take the planned lock. */
  public static DeclinedException ofUnknownLocks(Path file) {
    return ofSources(
        file.getFileName()
            + " takes a lock that its classes do not, which may be this one; build, then run"
            + " again");
  }

  /** Returns the exception for a lock that {@code Patcher} declines, and that has got a plan. */
  public static IllegalStateException missing(LocalVariable of) {
    return new IllegalStateException("a local variable of " + of.method());
  }
}
