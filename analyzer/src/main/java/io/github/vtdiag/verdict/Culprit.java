package io.github.vtdiag.verdict;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Site;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What most of the pinned time is due to.
 *
 * @param finding of its place the costliest
 * @param alone whether hardly any pinned time is known to be due to anything else
 */
public record Culprit(Pin finding, boolean alone) {
  /** Who took less of the pinned time than this is not to blame for what it did. */
  private static final double MOST = 0.5;

  /** What the others took beside so much is not worth a word. */
  private static final double NEARLY_ALL = 0.95;

  /**
   * Of a monitor what else holds the carrier in every one of its pins, and holds it on any Java;
   * the monitor alone is not to blame then.
   */
  public Optional<Pin.AlsoHeld> stays() {
    return finding.site().pinsSince24()
        ? Optional.empty()
        : finding.alsoHeld().stream()
            .filter(also -> also.count() >= finding.count())
            .filter(also -> also.site().pinsSince24())
            .findFirst();
  }

  /** Empty if no place took most of the time, or the one that did is not known. */
  static Optional<Culprit> of(Findings findings) {
    long recorded = findings.cost().totalNanos();
    // Pins too short to be recorded are in the account only, and nobody knows whose they are.
    long pinned = Math.max(recorded, findings.account().share(Use.PINNED).nanos());
    Map<Object, List<Pin>> places =
        findings.pins().stream()
            .collect(
                Collectors.groupingBy(Culprit::place, LinkedHashMap::new, Collectors.toList()));
    return places.values().stream()
        .max(Comparator.comparingLong(Culprit::total))
        .filter(place -> isKnown(place.getFirst().site()))
        .filter(place -> total(place) >= MOST * pinned)
        .map(place -> new Culprit(place.getFirst(), total(place) >= NEARLY_ALL * recorded));
  }

  /** The threads inside a monitor or initializer, and those that wait for it, have one cause. */
  private static Object place(Pin finding) {
    Site site = finding.site();
    if (site.kind().isAtMonitor()) {
      return List.of(site.place(), site.caller());
    }
    return site.kind().isInitialization() && !site.className().isEmpty() ? site.className() : site;
  }

  private static boolean isKnown(Site site) {
    return site.kind().isExplained() && !site.className().isEmpty();
  }

  private static long total(List<Pin> place) {
    return place.stream().mapToLong(Pin::total).sum();
  }
}
