package io.github.vtdiag.fleet;

import io.github.vtdiag.model.Figures;

/**
 * The result of adding recordings.
 *
 * @param added the recordings that have all their rows
 * @param failed the recordings that could not be read
 * @param known the recordings that were there already
 */
public record Added(int added, int failed, int known) {
  /** Returns the sum of these and others. */
  public Added plus(Added others) {
    return new Added(added + others.added, failed + others.failed, known + others.known);
  }

  /** Returns a sentence without its end. */
  @Override
  public String toString() {
    return "added %s%s%s"
        .formatted(
            Figures.count(added, "recording"),
            known > 0 ? ", %d were in it already".formatted(known) : "",
            failed > 0 ? ", %d could not be read".formatted(failed) : "");
  }
}
