package io.github.vtdiag.baseline;

import io.github.vtdiag.analysis.Identity;
import java.util.List;
import java.util.Optional;

/**
 * A finding in one or both of two runs.
 *
 * @param notable whether it is more than chance; always, of those that are better or worse
 * @param dueToWork whether there is more of it only because more work was done, or less because of
 *     less; for the same work it is the same
 * @param in the figures in which it is better or worse, or that are due to work; empty for the rest
 */
public record Change(
    Kind kind,
    Optional<BaselinePin> before,
    Optional<BaselinePin> after,
    boolean notable,
    boolean dueToWork,
    List<Tolerance.Figure> in) {

  /** The kinds of change, the worst first. */
  public enum Kind {
    WORSE,
    NEW,
    SAME,
    BETTER,
    GONE
  }

  public Change {
    in = List.copyOf(in);
  }

  /** Returns its identity in the run after, or in the one before if it is gone. */
  public Identity identity() {
    return seen().identity();
  }

  /** Returns the method to look at. */
  public String title() {
    return seen().title();
  }

  private BaselinePin seen() {
    return after.or(() -> before).orElseThrow();
  }
}
