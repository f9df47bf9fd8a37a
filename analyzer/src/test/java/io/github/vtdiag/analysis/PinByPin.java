package io.github.vtdiag.analysis;

import io.github.vtdiag.account.Accounting;
import io.github.vtdiag.analysis.CauseSets.CauseSet;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Finding.Pin.AlsoHeld;
import io.github.vtdiag.analysis.Finding.Pin.OperationCount;
import io.github.vtdiag.analysis.Finding.Pin.ReachedFrom;
import io.github.vtdiag.analysis.Findings.Capacity;
import io.github.vtdiag.analysis.Findings.Since24;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorObject;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The findings by the plainest way: every pin is attributed by itself, and counted by itself. Too
 * slow for a million of them, and nothing to get wrong.
 */
public final class PinByPin {
  private record OnePin(
      int recording, PinEpisode episode, Attribution attribution, SameSites same) {
    List<Site> rawSites() {
      return attribution.causes().stream().map(cause -> Site.of(cause, episode.stack())).toList();
    }

    List<Site> sites() {
      return rawSites().stream().map(same::of).toList();
    }

    /** Ids are unique in one JVM only. */
    List<Long> thread() {
      return List.of((long) recording, episode.thread().id());
    }
  }

  private final List<OnePin> pins = new ArrayList<>();
  private final List<RecordingFacts> recordings = new ArrayList<>();
  private final List<Function<ClassRef, Owner>> owners = new ArrayList<>();

  /** Adds a recording. */
  public void add(
      RecordingFacts facts,
      List<PinEpisode> episodes,
      List<MonitorSample> samples,
      Attributed.Attributor attributor,
      Function<ClassRef, Owner> owner) {
    List<MonitorSample> left = new ArrayList<>(samples);
    episodes.stream()
        .sorted(Comparator.comparingLong(PinEpisode::startNanos))
        .forEach(
            episode -> {
              List<MonitorSample> of = new ArrayList<>();
              for (MonitorSample sample : left) {
                if (belongs(sample, episode)) {
                  of.add(sample);
                }
              }
              left.removeAll(of);
              pins.add(
                  new OnePin(
                      recordings.size(),
                      episode,
                      attributor.attribute(episode, of),
                      new SameSites(Map.of())));
            });
    recordings.add(facts);
    owners.add(owner);
  }

  private static boolean belongs(MonitorSample sample, PinEpisode pin) {
    return sample.threadId() == pin.thread().id()
        && sample.atNanos() >= pin.startNanos() - TimeUnit.MILLISECONDS.toNanos(100)
        && sample.atNanos() <= pin.endNanos()
        && !sample.frames().isEmpty()
        && sample.frames().stream()
            .allMatch(
                held ->
                    pin.stack().truncated()
                        || pin.stack().frames().stream()
                            .anyMatch(
                                frame ->
                                    frame.bci() == held.bci()
                                        && frame.is(held.className(), held.method())));
  }

  /** The findings, without what the recordings cannot tell. */
  public Findings findings() {
    Map<Site, Long> costs = new LinkedHashMap<>();
    pins.forEach(
        pin -> costs.merge(pin.rawSites().getFirst(), pin.episode.durationNanos(), Long::sum));
    SameSites same = new SameSites(costs);
    pins.replaceAll(pin -> new OnePin(pin.recording, pin.episode, pin.attribution, same));
    long nanos = 0;
    boolean known = true;
    for (RecordingFacts facts : recordings) {
      known &= facts.parallelism().isPresent();
      nanos += facts.parallelism().orElse(0) * facts.durationNanos();
    }
    Optional<Capacity> capacity = known ? Optional.of(new Capacity(nanos)) : Optional.empty();
    Cost all = cost(pins);
    List<Pin> findings = new ArrayList<>();
    by(pins, pin -> pin.sites().getFirst())
        .forEach((site, of) -> findings.add(finding(site, of, all.totalNanos(), capacity)));
    findings.sort(
        Comparator.comparingLong((Pin finding) -> finding.cost().totalNanos())
            .reversed()
            .thenComparing(finding -> finding.site().name()));
    List<CauseSet> sets = new ArrayList<>();
    by(pins, PinByPin::set)
        .forEach(
            (set, of) ->
                sets.add(new CauseSet(set.primary(), set.sites(), set.complete(), sum(of))));
    return new Findings(
        recordings,
        new Accounting(0, 0, OptionalInt.empty()).account(),
        findings,
        List.of(),
        new CauseSets(sets),
        all,
        threads(pins),
        capacity,
        pinnedWhenShort(),
        since24(),
        List.of(),
        OptionalLong.empty(),
        List.of(),
        Map.of(),
        Map.of());
  }

  private OptionalDouble pinnedWhenShort() {
    List<Double> parts = new ArrayList<>();
    for (int i = 0; i < recordings.size(); i++) {
      RecordingFacts facts = recordings.get(i);
      if (facts.parallelism().isEmpty()) {
        continue;
      }
      int recording = i;
      for (long at : facts.shortAt()) {
        long open =
            pins.stream()
                .filter(pin -> pin.recording == recording)
                .filter(pin -> pin.episode.startNanos() <= at && at < pin.episode.endNanos())
                .count();
        parts.add(Math.min(1, (double) open / facts.parallelism().getAsInt()));
      }
    }
    return parts.stream().mapToDouble(Double::doubleValue).average();
  }

  private static CauseSet set(OnePin pin) {
    Attribution attribution = pin.attribution;
    return new CauseSet(
        pin.sites().getFirst(),
        new HashSet<>(pin.sites()),
        !attribution.truncated() && attribution.unreadClasses().isEmpty(),
        0);
  }

  private static <K> Map<K, List<OnePin>> by(List<OnePin> pins, Function<OnePin, K> key) {
    return pins.stream()
        .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
  }

  private static long sum(List<OnePin> pins) {
    return pins.stream().mapToLong(pin -> pin.episode.durationNanos()).sum();
  }

  private static int threads(List<OnePin> pins) {
    return (int) pins.stream().map(OnePin::thread).distinct().count();
  }

  private static Cost cost(List<OnePin> pins) {
    long[] sorted = pins.stream().mapToLong(pin -> pin.episode.durationNanos()).sorted().toArray();
    return sorted.length == 0
        ? Cost.NONE
        : new Cost(
            sorted.length,
            Arrays.stream(sorted).sum(),
            sorted[sorted.length - 1],
            sorted[(sorted.length + 1) / 2 - 1],
            sorted[(int) Math.ceil(sorted.length * 99 / 100.0) - 1],
            Durations.of(sorted));
  }

  private Optional<Since24> since24() {
    long gone = 0;
    long stays = 0;
    long unknown = 0;
    boolean any = false;
    for (RecordingFacts facts : recordings) {
      any |= facts.jdk() > 0 && facts.jdk() < 24;
    }
    for (OnePin pin : pins) {
      int jdk = recordings.get(pin.recording).jdk();
      long nanos = pin.episode.durationNanos();
      if (jdk == 0 || jdk >= 24) {
        continue;
      }
      if (pin.sites().stream().anyMatch(site -> site.kind() == PinKind.UNEXPLAINED)) {
        unknown += nanos;
      } else if (pin.sites().stream().anyMatch(Site::pinsSince24)) {
        stays += nanos;
      } else {
        gone += nanos;
      }
    }
    return any ? Optional.of(new Since24(gone, stays, unknown)) : Optional.empty();
  }

  private Pin finding(Site site, List<OnePin> of, long allNanos, Optional<Capacity> capacity) {
    OnePin first =
        of.stream().filter(pin -> pin.rawSites().getFirst().equals(site)).findFirst().orElseThrow();
    Function<ClassRef, Owner> owner = owners.get(first.recording);
    PinCause cause = first.attribution.primary();
    Cost cost = cost(of);
    return new Pin(
        site,
        cause,
        cause.at(),
        owner(cause, owner),
        Site.caller(cause, first.episode.stack())
            .map(frame -> new Pin.Caller(frame, owner.apply(frame.type()))),
        cost,
        of.stream().filter(pin -> !pin.episode.ended()).count(),
        allNanos == 0 ? 0 : (double) cost.totalNanos() / allNanos,
        capacity.isPresent() && capacity.get().nanos() > 0
            ? OptionalDouble.of((double) cost.totalNanos() / capacity.get().nanos())
            : OptionalDouble.empty(),
        threads(of),
        by(of, OnePin::recording).values().stream().mapToLong(PinByPin::active).sum(),
        operations(of),
        alsoHeld(site, of, owner),
        confidence(of),
        lockObjects(of),
        overlap(of, cost, allNanos),
        reachedFrom(of),
        costliestStack(of));
  }

  private List<ReachedFrom> reachedFrom(List<OnePin> pins) {
    List<Frame> nearest = new ArrayList<>();
    for (OnePin pin : pins) {
      Function<ClassRef, Owner> owner = owners.get(pin.recording);
      List<Frame> frames = pin.episode.stack().frames();
      int depth = Math.max(0, pin.attribution.primary().depth());
      Stream.concat(frames.subList(depth, frames.size()).stream(), frames.stream())
          .filter(frame -> !frame.type().isJdk() && !frame.type().name().contains("$$Lambda"))
          .filter(frame -> owner.apply(frame.type()) instanceof Owner.Application)
          .findFirst()
          .ifPresent(nearest::add);
    }
    return nearest.stream()
        .collect(
            Collectors.groupingBy(
                frame -> frame + frame.descriptor(), LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(frames -> new ReachedFrom(frames.getFirst(), frames.size()))
        .sorted(Comparator.comparingLong(ReachedFrom::count).reversed())
        .toList();
  }

  private static StackTrace costliestStack(List<OnePin> pins) {
    return by(pins, pin -> pin.episode.stack()).values().stream()
        .sorted(Comparator.comparingLong(PinByPin::sum).reversed())
        .findFirst()
        .orElseThrow()
        .getFirst()
        .episode
        .stack();
  }

  private static Owner owner(PinCause cause, Function<ClassRef, Owner> owner) {
    return cause.type().map(owner).orElse(new Owner.UnknownJar(""));
  }

  private static long active(List<OnePin> pins) {
    return pins.stream().mapToLong(pin -> pin.episode.endNanos()).max().orElseThrow()
        - pins.stream().mapToLong(pin -> pin.episode.startNanos()).min().orElseThrow();
  }

  private static List<OperationCount> operations(List<OnePin> pins) {
    Map<BlockingOperation, List<OnePin>> by = by(pins, pin -> pin.attribution.operation());
    return by.entrySet().stream()
        .map(entry -> new OperationCount(entry.getKey(), entry.getValue().size()))
        .sorted(Comparator.comparingLong(OperationCount::count).reversed())
        .toList();
  }

  private static List<AlsoHeld> alsoHeld(
      Site site, List<OnePin> pins, Function<ClassRef, Owner> owner) {
    Map<Site, PinCause> causes = new LinkedHashMap<>();
    Map<Site, Long> counts = new HashMap<>();
    for (OnePin pin : pins) {
      for (Site further : new LinkedHashSet<>(pin.sites())) {
        if (!further.equals(site)) {
          causes.putIfAbsent(further, pin.attribution.causes().get(pin.sites().indexOf(further)));
          counts.merge(further, 1L, Long::sum);
        }
      }
    }
    return causes.entrySet().stream()
        .map(
            entry ->
                new AlsoHeld(
                    entry.getKey(),
                    entry.getValue(),
                    owner(entry.getValue(), owner),
                    counts.get(entry.getKey())))
        .sorted(Comparator.comparingLong(AlsoHeld::count).reversed())
        .toList();
  }

  private static Map<Confidence, Long> confidence(List<OnePin> pins) {
    Map<Confidence, Long> counts = new EnumMap<>(Confidence.class);
    for (OnePin pin : pins) {
      if (pin.attribution.primary() instanceof PinCause.HeldMonitor held) {
        counts.merge(held.confidence(), 1L, Long::sum);
      }
    }
    return counts;
  }

  private static Optional<LockObjects> lockObjects(List<OnePin> pins) {
    List<OnePin> sampled = new ArrayList<>();
    Map<MonitorObject, Set<List<Long>>> threadsOf = new HashMap<>();
    Map<MonitorObject, Integer> samplesOf = new HashMap<>();
    for (OnePin pin : pins) {
      if (pin.attribution.primary() instanceof PinCause.HeldMonitor held
          && !held.objects().isEmpty()) {
        sampled.add(pin);
        for (MonitorObject object : held.objects()) {
          threadsOf.computeIfAbsent(object, o -> new HashSet<>()).add(pin.thread());
          samplesOf.merge(object, 1, Integer::sum);
        }
      }
    }
    return sampled.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new LockObjects(
                sampled.size(),
                threadsOf.size(),
                threads(sampled),
                threadsOf.values().stream().mapToInt(Set::size).max().orElse(0),
                (int) threadsOf.values().stream().filter(of -> of.size() > 1).count(),
                samplesOf.values().stream().min(Comparator.naturalOrder()).orElse(0)));
  }

  private static Optional<Overlap> overlap(List<OnePin> pins, Cost cost, long allNanos) {
    if (by(pins, OnePin::recording).size() > 1
        || cost.totalNanos() < allNanos * Overlap.LEAST_SHARE) {
      return Optional.empty();
    }
    int most = 0;
    for (OnePin pin : pins) {
      long at = pin.episode.startNanos();
      int open = 0;
      for (OnePin other : pins) {
        PinEpisode episode = other.episode;
        open += episode.startNanos() <= at && at < episode.endNanos() ? 1 : 0;
      }
      most = Math.max(most, open);
    }
    long all = active(pins);
    long there = by(pins, OnePin::thread).values().stream().mapToLong(PinByPin::active).sum();
    return Optional.of(new Overlap(most, all == 0 ? 0 : (double) there / all));
  }
}
