package io.github.vtdiag.fleet;

import io.github.vtdiag.model.Figures;

/**
 * What came of adding recordings.
 *
 * @param added how many have all their rows
 * @param failed how many could not be read
 * @param known how many were there already
 */
public record Added(int added, int failed, int known) {
  /** These and others. */
  public Added plus(Added others) {
    return new Added(added + others.added, failed + others.failed, known + others.known);
  }

  /** A sentence without its end. */
  @Override
  public String toString() {
    return "added %s%s%s"
        .formatted(
            Figures.count(added, "recording"),
            known > 0 ? ", %d were in it already".formatted(known) : "",
            failed > 0 ? ", %d could not be read".formatted(failed) : "");
  }
}
