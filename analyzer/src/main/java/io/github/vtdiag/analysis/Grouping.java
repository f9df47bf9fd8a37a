package io.github.vtdiag.analysis;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.analysis.CauseSets.CauseSet;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings.Capacity;
import io.github.vtdiag.analysis.Findings.Since24;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Groups pins by their primary cause and adds up what they cost. */
public final class Grouping {

  /** The key by which pins form a {@link CauseSet}. */
  private record SetKey(Site primary, Set<Site> sites, boolean complete) {
    static SetKey of(PinGroup alike, List<Site> sites) {
      Attribution attribution = alike.attribution;
      return new SetKey(
          sites.getFirst(),
          Set.copyOf(new HashSet<>(sites)),
          !attribution.truncated() && attribution.unreadClasses().isEmpty());
    }

    CauseSet with(List<PinGroup> pins) {
      return new CauseSet(primary, sites, complete, pins.stream().mapToLong(PinGroup::nanos).sum());
    }
  }

  private final Map<Site, Group> groups = new LinkedHashMap<>();
  private final Map<SetKey, List<PinGroup>> sets = new LinkedHashMap<>();
  private final List<PinGroup> all = new ArrayList<>();
  private final StackGaps gaps = new StackGaps();
  private final Shortage shortage = new Shortage();
  private final List<Account> accounts = new ArrayList<>();
  private final List<Ending> endings = new ArrayList<>();
  private final List<Gap> unwatched = new ArrayList<>();
  private int threads;
  private int pinnedThreads;
  private long goneNanos;
  private long staysNanos;
  private long unknownNanos;

  private final SameSites same;

  private Grouping(SameSites same) {
    this.same = same;
  }

  /** Groups the pins of all recordings. */
  public static Findings of(List<Recorded> recordings) {
    Grouping grouping = new Grouping(sameSites(recordings));
    for (int i = 0; i < recordings.size(); i++) {
      grouping.add(i, recordings.get(i));
    }
    return grouping.findings(recordings.stream().map(r -> r.pins().facts()).toList());
  }

  static SameSites sameSites(List<Recorded> recordings) {
    Map<Site, Long> nanos = new LinkedHashMap<>();
    for (Recorded recorded : recordings) {
      for (PinGroup alike : recorded.pins().alike()) {
        nanos.merge(alike.sites.getFirst(), alike.nanos(), Long::sum);
      }
    }
    return new SameSites(nanos);
  }

  private void add(int index, Recorded recorded) {
    ApplicationFrames application = new ApplicationFrames(recorded.owners());
    shortage.add(recorded.pins());
    accounts.add(recorded.account());
    Watching.ending(recorded.pins()).ifPresent(endings::add);
    unwatched.addAll(Watching.gaps(recorded.pins()));
    boolean monitorsPin = Coverage.monitorsPin(recorded.pins().facts());
    for (PinGroup alike : recorded.pins().alike()) {
      all.add(alike);
      List<Site> sites = alike.sites.stream().map(same::of).toList();
      Map<Site, PinCause> causes = new LinkedHashMap<>();
      for (PinCause cause : alike.attribution.causes()) {
        causes.putIfAbsent(same.of(Site.of(cause, alike.stack)), cause);
      }
      groups
          .computeIfAbsent(sites.getFirst(), site -> new Group(recorded.owners(), site))
          .add(
              index,
              threads,
              alike,
              causes,
              application.nearest(alike.stack, alike.attribution.primary().depth()));
      sets.computeIfAbsent(SetKey.of(alike, sites), key -> new ArrayList<>()).add(alike);
      gaps.add(alike, recorded.lookups());
      if (monitorsPin) {
        countSince24(alike);
      }
    }
    BitSet pinned = new BitSet();
    recorded.pins().alike().forEach(alike -> alike.threads().forEach(pinned::set));
    pinnedThreads += pinned.cardinality();
    // Thread ids are unique within one JVM only.
    threads += recorded.pins().threads();
  }

  private void countSince24(PinGroup alike) {
    long nanos = alike.nanos();
    if (alike.sites.stream().anyMatch(site -> site.kind() == PinKind.UNEXPLAINED)) {
      unknownNanos += nanos;
    } else if (alike.sites.stream().anyMatch(Site::pinsSince24)) {
      staysNanos += nanos;
    } else {
      goneNanos += nanos;
    }
  }

  private Findings findings(List<RecordingFacts> recordings) {
    Cost cost = Cost.of(all);
    Optional<Capacity> capacity = capacity(recordings);
    List<Pin> findings =
        groups.values().stream()
            .map(group -> group.finding(cost.totalNanos(), capacity))
            .sorted(
                Comparator.comparingLong((Pin finding) -> finding.cost().totalNanos())
                    .reversed()
                    .thenComparing(finding -> finding.site().name()))
            .toList();
    Optional<Since24> since24 =
        recordings.stream().anyMatch(Coverage::monitorsPin)
            ? Optional.of(new Since24(goneNanos, staysNanos, unknownNanos))
            : Optional.empty();
    List<Gap> unknown = new ArrayList<>();
    recordings.forEach(facts -> unknown.addAll(Coverage.gaps(facts)));
    unknown.addAll(unwatched);
    unknown.addAll(gaps.gaps());
    List<CauseSet> causeSets =
        sets.entrySet().stream().map(set -> set.getKey().with(set.getValue())).toList();
    return new Findings(
        recordings,
        Account.together(accounts),
        findings,
        List.of(),
        new CauseSets(causeSets),
        cost,
        pinnedThreads,
        capacity,
        shortage.pinned(),
        since24,
        endings,
        OptionalLong.empty(),
        unknown,
        Map.of(),
        Map.of());
  }

  private static Optional<Capacity> capacity(List<RecordingFacts> recordings) {
    long nanos = 0;
    for (RecordingFacts facts : recordings) {
      OptionalInt carriers = facts.carriers();
      if (carriers.isEmpty()) {
        return Optional.empty();
      }
      nanos += carriers.getAsInt() * facts.durationNanos();
    }
    return Optional.of(new Capacity(nanos));
  }
}
