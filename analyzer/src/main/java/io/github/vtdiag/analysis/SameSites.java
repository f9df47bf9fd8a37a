package io.github.vtdiag.analysis;

import io.github.vtdiag.model.ClassRef;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Groups of sites in the JDK for which the remedy is the same: monitors of one class, held on the
 * way from one method. Which block of {@code ConcurrentHashMap} holds the carrier depends on what
 * is in the bin already. Waits to enter such a monitor are another group, because a waiting thread
 * does not hold it. Outside the JDK every monitor is a site of its own: its code can be changed.
 *
 * <p>An event about a wait to enter a monitor may lack the monitor's class. It belongs to the site
 * of the events that have it, if they are about the same instruction and agree on the class.
 */
final class SameSites {
  private record Key(boolean entered, String className, String caller) {}

  private final Map<Key, Site> sites = new HashMap<>();

  /** The only site with a class at the place of one without. */
  private final Map<Site, Site> withClass = new HashMap<>();

  /**
   * @param nanos the sites by which pins are grouped, with what they cost
   */
  SameSites(Map<Site, Long> nanos) {
    List<Site> costliestFirst =
        nanos.keySet().stream()
            .sorted(Comparator.comparingLong((Site site) -> nanos.get(site)).reversed())
            .toList();
    for (Site site : costliestFirst) {
      key(site).ifPresent(key -> sites.putIfAbsent(key, site));
    }
    // Waits to enter a held monitor are looked up by its place, so that place stands for them.
    Set<Object> held =
        sites.entrySet().stream()
            .filter(entry -> !entry.getKey().entered)
            .map(entry -> entry.getValue().place())
            .collect(Collectors.toCollection(HashSet::new));
    for (Site site : costliestFirst) {
      key(site)
          .filter(key -> key.entered && held.contains(site.place()))
          .ifPresent(key -> sites.put(key, site));
    }
    Map<Site, List<Site>> byPlace =
        costliestFirst.stream()
            .filter(site -> site.kind() == PinKind.MONITOR_ENTRY && !site.detail().isEmpty())
            .collect(Collectors.groupingBy(Site::withoutDetail));
    byPlace.forEach(
        (place, known) -> {
          if (known.size() == 1) {
            withClass.put(place, known.getFirst());
          }
        });
  }

  /** Returns the site that stands for all of the same group. */
  Site of(Site site) {
    Site known = withClass.getOrDefault(site, site);
    return key(known).map(sites::get).orElse(known);
  }

  private static Optional<Key> key(Site site) {
    boolean monitor = site.kind().isAtMonitor();
    return monitor && !site.caller().isEmpty() && new ClassRef(site.className(), "").isJdk()
        ? Optional.of(
            new Key(site.kind() == PinKind.MONITOR_ENTRY, site.className(), site.caller()))
        : Optional.empty();
  }
}
