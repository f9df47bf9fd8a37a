package io.github.vtdiag.verdict;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.HarmlessPins;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.waits.KnownPools;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The cause of most of the pinned time.
 *
 * @param finding the costliest of its place that is not harmless
 * @param alone whether hardly any pinned time is known to have another cause
 */
public record Culprit(Pin finding, boolean alone) {
  /** The least part of the pinned time that makes a place the culprit. */
  private static final double MOST = 0.5;

  /** The part of the pinned time beside which the rest is not worth mentioning. */
  private static final double NEARLY_ALL = 0.95;

  /**
   * Returns what else holds the carrier in every pin of a monitor, and does so on any Java. The
   * monitor alone is not to blame then.
   */
  public Optional<Pin.AlsoHeld> stays() {
    return finding.site().pinsSince24()
        ? Optional.empty()
        : finding.alsoHeld().stream()
            .filter(also -> also.count() >= finding.count())
            .filter(also -> also.site().pinsSince24())
            .findFirst();
  }

  /**
   * Returns the culprit; empty if no place took most of the time, or the one that did is not known
   * or harmless.
   */
  static Optional<Culprit> of(Findings findings) {
    return place(findings).map(place -> of(place, findings));
  }

  private static Culprit of(List<Pin> place, Findings findings) {
    return new Culprit(
        place.stream().filter(pin -> !HarmlessPins.are(pin)).findFirst().orElseThrow(),
        total(place) >= NEARLY_ALL * findings.cost().totalNanos());
  }

  /**
   * Returns the culprit if its threads are likely to be the consumers of a full queue: they are
   * pinned at a monitor most of the time, and do not put anything into the queue themselves.
   *
   * @param producer the method that puts
   */
  static Optional<Culprit> consumers(Findings findings, String producer) {
    return place(findings)
        .filter(place -> place.getFirst().site().kind().isAtMonitor())
        .filter(place -> partOfThreads(place, findings) >= MOST)
        .map(place -> of(place, findings))
        .filter(
            culprit ->
                culprit.finding.stack().frames().stream()
                    .noneMatch(frame -> frame.qualifiedMethod().equals(producer)));
  }

  /**
   * Returns the culprit if threads that use a pool wait for its monitor.
   *
   * @param method the method that waits to enter it
   */
  static Optional<Culprit> users(Findings findings, String method) {
    return findings.pins().stream()
        .filter(pin -> pin.kind() == PinKind.MONITOR_ENTRY && !HarmlessPins.are(pin))
        .filter(pin -> pin.title().equals(method))
        .findFirst()
        .map(pin -> of(pinsAt(place(pin), findings), findings));
  }

  /** Returns the pool whose objects its threads wait for, pinned in {@code Object.wait}. */
  public Optional<String> pool() {
    return finding.cause() instanceof PinCause.ObjectWait
        ? KnownPools.askedBy(finding.stack().frames()).map(KnownPools.Asked::pool)
        : Optional.empty();
  }

  /** Returns the part of their time for which its threads are pinned there. */
  public double partOfThreads(Findings findings) {
    return partOfThreads(pinsAt(place(finding), findings), findings);
  }

  private static List<Pin> pinsAt(Object place, Findings findings) {
    return findings.pins().stream().filter(pin -> place(pin).equals(place)).toList();
  }

  private static double partOfThreads(List<Pin> place, Findings findings) {
    long nanos = findings.recordings().stream().mapToLong(RecordingFacts::durationNanos).sum();
    // The same threads are inside of the monitor and wait for it.
    int threads = place.stream().mapToInt(Pin::threads).max().orElse(0);
    return threads == 0 || nanos == 0 ? 0 : Math.min(1, (double) total(place) / threads / nanos);
  }

  /** Returns the findings of the place that took most of the pinned time. */
  private static Optional<List<Pin>> place(Findings findings) {
    long recorded = findings.cost().totalNanos();
    // Pins too short to be recorded are in the account only, and their place is unknown.
    long pinned = Math.max(recorded, findings.account().share(Use.PINNED).nanos());
    Map<Object, List<Pin>> places =
        findings.pins().stream()
            .collect(
                Collectors.groupingBy(Culprit::place, LinkedHashMap::new, Collectors.toList()));
    return places.values().stream()
        .max(Comparator.comparingLong(Culprit::total))
        .filter(place -> isKnown(place.getFirst().site()))
        // Reports list harmless pins at the end, as nothing to change.
        .filter(place -> !place.stream().allMatch(HarmlessPins::are))
        .filter(place -> total(place) >= MOST * pinned);
  }

  /**
   * Returns the place of a finding. The threads inside a monitor or initializer, and those that
   * wait for it, have one cause.
   */
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
