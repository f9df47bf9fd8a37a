package io.github.vtdiag.jfr;

import java.util.List;

/**
 * The events to find in a chunk, by their names.
 *
 * @param groups those of which each is wanted, in groups that are read apart
 * @param thinned those of which some are enough where there are many; see {@link Thinning}
 */
public record WantedEvents(List<List<String>> groups, List<String> thinned) {
  public WantedEvents {
    groups = List.copyOf(groups);
    thinned = List.copyOf(thinned);
  }

  /** All events of one name. */
  public static WantedEvents named(String name) {
    return new WantedEvents(List.of(List.of(name)), List.of());
  }
}
