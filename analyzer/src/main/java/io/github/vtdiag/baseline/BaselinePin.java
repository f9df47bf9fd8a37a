package io.github.vtdiag.baseline;

import io.github.vtdiag.analysis.Cost;
import io.github.vtdiag.analysis.Identity;

/**
 * A pin finding of a run, with its figures.
 *
 * @param title the method to look at, for people
 */
public record BaselinePin(Identity identity, String title, Cost cost) {
  public BaselinePin {
    cost = cost.withoutDurations();
  }
}
