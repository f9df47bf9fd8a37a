package io.github.vtdiag.upgrade;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A library that held monitors on recorded stacks.
 *
 * @param library its coordinates
 * @param locations the jars it was loaded from; two if two are on the class path
 * @param held the monitors, those of the costliest finding first, innermost first
 * @param stacks the stacks with these monitors
 */
public record LibraryOnStacks(
    Coordinates library, List<String> locations, List<Site> held, List<StackTrace> stacks) {
  public LibraryOnStacks {
    locations = List.copyOf(locations);
    held = List.copyOf(held);
    stacks = List.copyOf(stacks);
  }

  /** The facts about one library in findings. */
  private static final class Collected {
    private final Set<String> locations = new LinkedHashSet<>();
    private final Set<Site> held = new LinkedHashSet<>();
    private final Set<StackTrace> stacks = new LinkedHashSet<>();
  }

  /**
   * Returns the libraries that held monitors, the costliest first.
   *
   * @param counts tells which findings count
   */
  public static List<LibraryOnStacks> of(Findings findings, Predicate<Pin> counts) {
    Map<Coordinates, Collected> all = new LinkedHashMap<>();
    for (Pin finding : findings.pins()) {
      if (counts.test(finding)) {
        add(all, finding, finding.site(), finding.owner());
        for (Pin.AlsoHeld also : finding.alsoHeld()) {
          add(all, finding, also.site(), also.owner());
        }
      }
    }
    return all.entrySet().stream()
        .map(
            entry ->
                new LibraryOnStacks(
                    entry.getKey(),
                    List.copyOf(entry.getValue().locations),
                    List.copyOf(entry.getValue().held),
                    List.copyOf(entry.getValue().stacks)))
        .toList();
  }

  private static void add(Map<Coordinates, Collected> all, Pin finding, Site site, Owner owner) {
    if (owner instanceof Owner.Library(Coordinates library, String location)
        && !site.pinsSince24()) {
      Collected of = all.computeIfAbsent(library, any -> new Collected());
      of.locations.add(location);
      of.held.add(site);
      if (!finding.stack().isAbsent()) {
        of.stacks.add(finding.stack());
      }
    }
  }
}
