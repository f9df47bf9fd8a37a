package io.github.vtdiag.advice;

import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Finding.Pin;
import java.util.ArrayList;
import java.util.List;

/**
 * The advice for one finding.
 *
 * @param finding the finding
 * @param recommendation what to do
 * @param reason why, one sentence without its full stop
 * @param together what has to be done as well, because its cause is on the same stacks
 * @param effect what to expect of doing all of it
 * @param alternatives what could be done instead
 */
public record Advised(
    Pin finding,
    Recommendation recommendation,
    String reason,
    List<Recommendation> together,
    Effect effect,
    List<Alternative> alternatives) {

  /**
   * An alternative to the recommendation.
   *
   * @param freed the part of the finding's carrier time that it frees
   * @param prediction the throughput to expect, if the recording shows enough
   */
  public record Alternative(Recommendation recommendation, Freed freed, Prediction prediction) {}

  public Advised {
    together = List.copyOf(together);
    alternatives = List.copyOf(alternatives);
  }

  /** Returns all that is to be done. */
  List<Recommendation> all() {
    List<Recommendation> all = new ArrayList<>(List.of(recommendation));
    all.addAll(together);
    return all;
  }

  /** Returns the rewrites among what is to be done. */
  public List<Recommendation.Rewrite> rewrites() {
    return Recommendation.Rewrite.among(recommendation, together);
  }
}
