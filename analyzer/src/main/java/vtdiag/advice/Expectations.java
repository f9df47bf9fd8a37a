package vtdiag.advice;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import vtdiag.advice.Advised.Alternative;
import vtdiag.advice.Recommendation.ChangePattern;
import vtdiag.analysis.Finding;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Findings.Freed;
import vtdiag.analysis.LockObjects;
import vtdiag.analysis.Site;
import vtdiag.model.PinCause;
import vtdiag.pin.Events;
import vtdiag.recording.RecordingFacts;
import vtdiag.recording.RecordingFacts.EventSetting;

/** What following a recommendation is expected to bring, and what could be done instead. */
final class Expectations {
  private final Findings findings;
  private final Lineup lineup;

  Expectations(Findings findings, Lineup lineup) {
    this.findings = findings;
    this.lineup = lineup;
  }

  Effect of(Finding finding, Recommendation recommendation, List<Recommendation> together) {
    Set<Site> gone = gone(recommendation, together);
    Freed freed = findings.freedBy(gone);
    Sharing sharing = sharing(finding);
    return new Effect(
        freed,
        findings.freedBy(gone, finding),
        findings.freedBy(lineup.goneBy(recommendation), finding),
        sharing,
        predict(finding, freed, sharing, recommendation));
  }

  /** Something to do instead; empty if it would free nothing here. */
  Optional<Alternative> alternative(Recommendation other, Finding finding) {
    Set<Site> gone = lineup.goneBy(other);
    Freed freed = findings.freedBy(gone, finding);
    return freed.upTo() == 0
        ? Optional.empty()
        : Optional.of(
            new Alternative(
                other, freed, predict(finding, findings.freedBy(gone), sharing(finding), other)));
  }

  /** The sites that hold no carrier any more once all of this is done. */
  Set<Site> gone(Recommendation recommendation, List<Recommendation> together) {
    Set<Site> gone = new HashSet<>(lineup.goneBy(recommendation));
    together.forEach(each -> gone.addAll(lineup.goneBy(each)));
    return gone;
  }

  private Sharing sharing(Finding finding) {
    return switch (finding.cause()) {
      case PinCause.MonitorEntry entry -> Sharing.CONTENDED;
      case PinCause.HeldMonitor held ->
          finding
              .lockObjects()
              .map(Expectations::sharing)
              .orElseGet(
                  () -> isContended(finding.site()) ? Sharing.CONTENDED : Sharing.NOT_SAMPLED);
      case PinCause.ObjectWait wait -> Sharing.NO_LOCK;
      case PinCause.NativeFrame frame -> Sharing.NO_LOCK;
      case PinCause.ClassInitializer frame -> Sharing.NO_LOCK;
      case PinCause.AwaitedInitialization awaited -> Sharing.NO_LOCK;
      case PinCause.ClassLoading loading -> Sharing.NO_LOCK;
      case PinCause.HiddenVmFrame hidden -> Sharing.NO_LOCK;
      case PinCause.Unexplained unexplained -> Sharing.NO_LOCK;
    };
  }

  /** From the sampled pins; one thread alone cannot show that an object is shared. */
  static Sharing sharing(LockObjects seen) {
    if (seen.threads() < 2) {
      return Sharing.NOT_SAMPLED;
    }
    if (seen.threadsOfBusiest() * 2 > seen.threads() && seen.threadsOfBusiest() > 1) {
      return Sharing.ONE_OBJECT;
    }
    return seen.threadsOfBusiest() == 1 || seen.threadsOfBusiest() * 4 <= seen.threads()
        ? Sharing.OWN_OBJECTS
        : Sharing.SOME_SHARED;
  }

  /** Whether threads were seen to wait where this site takes its monitor. */
  private boolean isContended(Site site) {
    return findings.findings().stream()
        .map(Finding::site)
        .anyMatch(
            other -> other.kind() == Site.Kind.MONITOR_ENTRY && other.place().equals(site.place()));
  }

  private Prediction predict(
      Finding finding, Freed freed, Sharing sharing, Recommendation recommendation) {
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
            facts.waitingThreads(),
            finding.count(),
            finding.total(),
            findings.cost().totalNanos(),
            freed.nanos(),
            finding.activeNanos(),
            pinned == null ? 0 : pinned.thresholdNanos())
        .predict(sharing);
  }
}
