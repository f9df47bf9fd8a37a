package io.github.vtdiag.jfr;

import java.util.List;

/**
 * The events to find in a chunk, by their names.
 *
 * @param groups the events that are all wanted, in groups that are read separately
 * @param thinned the events of which a part is enough if there are many, in groups that are thinned
 *     separately; see {@link Thinning}
 */
public record WantedEvents(List<List<String>> groups, List<List<String>> thinned) {
  public WantedEvents {
    groups = List.copyOf(groups);
    thinned = List.copyOf(thinned);
  }

  /** Returns all events of one name. */
  public static WantedEvents named(String name) {
    return new WantedEvents(List.of(List.of(name)), List.of());
  }
}
