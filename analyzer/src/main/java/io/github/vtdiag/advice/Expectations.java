package io.github.vtdiag.advice;

import io.github.vtdiag.advice.Advised.Alternative;
import io.github.vtdiag.advice.LocksSeen.Entering;
import io.github.vtdiag.advice.Recommendation.ChangePattern;
import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Overlap;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import io.github.vtdiag.waits.KnownPools;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Estimates the effect of a recommendation and of its alternatives. */
final class Expectations {
  /** The share of the time in the monitor that waits to enter it must exceed to count. */
  private static final double SOME_ENTERED = 0.05;

  private final Findings findings;
  private final CauseIndex lineup;

  Expectations(Findings findings, CauseIndex lineup) {
    this.findings = findings;
    this.lineup = lineup;
  }

  Effect of(Pin finding, Recommendation recommendation, List<Recommendation> together) {
    Set<Site> gone = gone(recommendation, together);
    Freed freed = findings.sets().freedBy(gone);
    LocksSeen locks = locks(finding);
    return new Effect(
        freed,
        findings.sets().freedBy(gone, finding),
        findings.sets().freedBy(lineup.goneBy(recommendation), finding),
        locks.sharing(),
        predict(finding, freed, locks, recommendation));
  }

  /** Returns an alternative; empty if it would free nothing here. */
  Optional<Alternative> alternative(Recommendation other, Pin finding) {
    Set<Site> gone = lineup.goneBy(other);
    Freed freed = findings.sets().freedBy(gone, finding);
    return freed.upTo() == 0
        ? Optional.empty()
        : Optional.of(
            new Alternative(
                other,
                freed,
                predict(finding, findings.sets().freedBy(gone), locks(finding), other)));
  }

  /** Returns the sites that no longer hold carriers once all of this is done. */
  private Set<Site> gone(Recommendation recommendation, List<Recommendation> together) {
    Set<Site> gone = new HashSet<>(lineup.goneBy(recommendation));
    together.forEach(each -> gone.addAll(lineup.goneBy(each)));
    return gone;
  }

  private LocksSeen locks(Pin finding) {
    if (!(finding.cause() instanceof PinCause.OfMonitor monitor)) {
      return LocksSeen.none();
    }
    return switch (monitor) {
      case PinCause.MonitorEntry entry -> new LocksSeen(Sharing.CONTENDED, 1, false);
      case PinCause.HeldMonitor held ->
          LocksSeen.of(
              finding.lockObjects(),
              finding.overlap(),
              finding.activeNanos() == 0 ? 0 : (double) finding.total() / finding.activeNanos(),
              finding.count(),
              findings.recordings().getFirst().parallelism().orElse(1),
              entering(finding));
      case PinCause.ObjectWait wait ->
          KnownPools.askedBy(finding.stack().frames()).isPresent()
              ? LocksSeen.borrowed()
              : LocksSeen.none();
    };
  }

  /**
   * Returns whether threads were seen to wait to enter the monitor of this site, or one that most
   * of its pins hold.
   */
  private Entering entering(Pin finding) {
    Set<MonitorId> places = new HashSet<>();
    places.add(finding.site().place());
    finding.alsoHeld().stream()
        .filter(also -> also.count() * 2 > finding.count())
        .forEach(also -> places.add(also.site().place()));
    long waited =
        findings.pins().stream()
            .filter(other -> other.site().kind() == PinKind.MONITOR_ENTRY)
            .filter(other -> places.contains(other.site().place()))
            .mapToLong(Pin::total)
            .sum();
    if (waited > finding.total() * SOME_ENTERED) {
      return Entering.SOME;
    }
    long shortest = finding.total() / Math.max(1, finding.count()) / 2;
    return findings.recordings().stream()
            .map(facts -> facts.settings().get(Events.MONITOR_ENTER))
            .allMatch(set -> set != null && set.enabled() && set.thresholdNanos() <= shortest)
        ? Entering.NOBODY
        : Entering.NOT_RECORDED;
  }

  private Prediction predict(
      Pin finding, Freed freed, LocksSeen locks, Recommendation recommendation) {
    if (freed.upTo() == 0) {
      return new Prediction.None("nothing is freed");
    }
    if (findings.recordings().size() != 1) {
      return new Prediction.None("several recordings have no common rate");
    }
    RecordingFacts facts = findings.recordings().getFirst();
    OptionalInt parallelism = facts.parallelism();
    if (parallelism.isEmpty()) {
      return new Prediction.None("the number of carriers is not known");
    }
    if (recommendation instanceof ChangePattern) {
      return new Prediction.None("it depends on how you design the change");
    }
    if (finding.cause() instanceof PinCause.MonitorEntry) {
      return new Prediction.None("the wait depends on what the holder of the monitor does");
    }
    EventSetting pinned = facts.settings().get(Events.PINNED);
    return new Throughput(
            parallelism.getAsInt(),
            finding.threads(),
            finding.overlap().map(Overlap::threads).orElse((double) finding.threads()),
            facts.mostWaitingThreads().stream().asDoubleStream().findFirst(),
            finding.count(),
            finding.total(),
            findings.cost().totalNanos(),
            freed.nanos(),
            finding.activeNanos(),
            pinned == null ? 0 : pinned.thresholdNanos())
        .predict(locks);
  }
}
