package io.github.vtdiag.verdict;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Finding;
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
public record Culprit(Finding finding, boolean alone) {
  /** Who took less of the pinned time than this is not to blame for what it did. */
  private static final double MOST = 0.5;

  /** What the others took beside so much is not worth a word. */
  private static final double NEARLY_ALL = 0.95;

  /** Empty if no place took most of the time, or the one that did is not known. */
  static Optional<Culprit> of(Findings findings) {
    long recorded = findings.cost().totalNanos();
    // Pins too short to be recorded are in the account only, and nobody knows whose they are.
    long pinned = Math.max(recorded, findings.account().share(Use.PINNED).nanos());
    Map<Object, List<Finding>> places =
        findings.findings().stream()
            .collect(
                Collectors.groupingBy(Culprit::place, LinkedHashMap::new, Collectors.toList()));
    return places.values().stream()
        .max(Comparator.comparingLong(Culprit::total))
        .filter(place -> isKnown(place.getFirst().site()))
        .filter(place -> total(place) >= MOST * pinned)
        .map(place -> new Culprit(place.getFirst(), total(place) >= NEARLY_ALL * recorded));
  }

  /** The threads inside a monitor or initializer, and those that wait for it, have one cause. */
  private static Object place(Finding finding) {
    Site site = finding.site();
    return switch (site.kind()) {
      case SYNCHRONIZED_METHOD, SYNCHRONIZED_BLOCK, MONITOR_ENTRY ->
          List.of(site.place(), site.caller());
      case CLASS_INITIALIZER, AWAITED_INITIALIZATION ->
          site.className().isEmpty() ? site : site.className();
      case NATIVE_FRAME, CLASS_LOADING, OBJECT_WAIT, HIDDEN_VM_FRAME, UNEXPLAINED -> site;
    };
  }

  private static boolean isKnown(Site site) {
    return switch (site.kind()) {
      case SYNCHRONIZED_METHOD,
          SYNCHRONIZED_BLOCK,
          MONITOR_ENTRY,
          NATIVE_FRAME,
          CLASS_INITIALIZER,
          AWAITED_INITIALIZATION,
          CLASS_LOADING,
          OBJECT_WAIT ->
          !site.className().isEmpty();
      case HIDDEN_VM_FRAME, UNEXPLAINED -> false;
    };
  }

  private static long total(List<Finding> place) {
    return place.stream().mapToLong(Finding::total).sum();
  }
}
