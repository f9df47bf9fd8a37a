package io.github.vtdiag.analysis;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Finding.Pin.AlsoHeld;
import io.github.vtdiag.analysis.Finding.Pin.Caller;
import io.github.vtdiag.analysis.Finding.Pin.OperationCount;
import io.github.vtdiag.analysis.Finding.Pin.ReachedFrom;
import io.github.vtdiag.analysis.Findings.Capacity;
import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorObject;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/** The pins of one site. */
final class Group {
  /** Pins of a recording, with the number of the recording's first thread among those of all. */
  private record Member(
      int recording,
      int firstThread,
      PinGroup pins,
      Map<Site, PinCause> causes,
      Optional<Frame> application) {
    IntStream threads() {
      return pins.threads().map(thread -> firstThread + thread);
    }
  }

  private final Map<ClassRef, Owner> owners;
  private final Site site;
  private final List<Member> members = new ArrayList<>();

  /**
   * @param owners the owners in the first recording that has the site
   */
  Group(Map<ClassRef, Owner> owners, Site site) {
    this.owners = owners;
    this.site = site;
  }

  /**
   * Adds pins.
   *
   * @param causes the pins' causes by their sites, each replaced by the one that stands for it
   * @param application the nearest frame of the application on their stack
   */
  void add(
      int recording,
      int firstThread,
      PinGroup pins,
      Map<Site, PinCause> causes,
      Optional<Frame> application) {
    members.add(new Member(recording, firstThread, pins, causes, application));
  }

  private Cost cost() {
    return Cost.of(members.stream().map(Member::pins).toList());
  }

  Pin finding(long allNanos, Optional<Capacity> capacity) {
    PinGroup first =
        members.stream()
            .map(Member::pins)
            .filter(pins -> pins.sites.getFirst().equals(site))
            .findFirst()
            .orElseThrow();
    PinCause cause = first.attribution.primary();
    StackTrace stack = first.stack;
    Cost cost = cost();
    return new Pin(
        site,
        cause,
        cause.at(),
        owner(cause),
        Site.caller(cause, stack).map(f -> new Caller(f, ownerOf(f.type()))),
        cost,
        members.stream()
            .map(Member::pins)
            .filter(pins -> !pins.ended)
            .mapToLong(PinGroup::count)
            .sum(),
        allNanos == 0 ? 0 : (double) cost.totalNanos() / allNanos,
        capacity.isPresent() && capacity.get().nanos() > 0
            ? OptionalDouble.of((double) cost.totalNanos() / capacity.get().nanos())
            : OptionalDouble.empty(),
        distinct(members.stream().flatMapToInt(Member::threads)),
        activeNanos(),
        operations(),
        alsoHeld(),
        confidence(),
        lockObjects(),
        overlap(cost, allNanos),
        reachedFrom(),
        costliestStack());
  }

  /** Returns the time from the first pin's start to the last one's end, summed over recordings. */
  private long activeNanos() {
    Map<Integer, long[]> spans = new HashMap<>();
    for (Member alike : members) {
      long[] span =
          spans.computeIfAbsent(
              alike.recording, r -> new long[] {alike.pins.fromNanos, alike.pins.toNanos});
      span[0] = Math.min(span[0], alike.pins.fromNanos);
      span[1] = Math.max(span[1], alike.pins.toNanos);
    }
    return spans.values().stream().mapToLong(span -> span[1] - span[0]).sum();
  }

  private List<OperationCount> operations() {
    Map<BlockingOperation, Long> counts = new LinkedHashMap<>();
    for (Member alike : members) {
      counts.merge(alike.pins.attribution.operation(), alike.pins.count(), Long::sum);
    }
    return counts.entrySet().stream()
        .map(entry -> new OperationCount(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(OperationCount::count).reversed())
        .toList();
  }

  private List<AlsoHeld> alsoHeld() {
    Map<Site, PinCause> causes = new LinkedHashMap<>();
    Map<Site, Long> counts = new HashMap<>();
    for (Member alike : members) {
      alike.causes.forEach(
          (further, cause) -> {
            if (!further.equals(site)) {
              causes.putIfAbsent(further, cause);
              counts.merge(further, alike.pins.count(), Long::sum);
            }
          });
    }
    return causes.entrySet().stream()
        .map(
            entry ->
                new AlsoHeld(
                    entry.getKey(),
                    entry.getValue(),
                    owner(entry.getValue()),
                    counts.get(entry.getKey())))
        // Sorting is stable: causes that are on every stack stay in its order, innermost first.
        .sorted(Comparator.comparingLong(AlsoHeld::count).reversed())
        .toList();
  }

  private Map<Confidence, Long> confidence() {
    Map<Confidence, Long> counts = new EnumMap<>(Confidence.class);
    for (Member alike : members) {
      if (alike.pins.attribution.primary() instanceof PinCause.HeldMonitor held) {
        counts.merge(held.confidence(), alike.pins.count(), Long::sum);
      }
    }
    return counts;
  }

  private Optional<LockObjects> lockObjects() {
    long samples = 0;
    IntStream.Builder sampledThreads = IntStream.builder();
    Map<MonitorObject, Set<Integer>> threadsOf = new HashMap<>();
    Map<MonitorObject, Long> samplesOf = new HashMap<>();
    for (Member alike : members) {
      if (alike.pins.attribution.primary() instanceof PinCause.HeldMonitor held
          && !held.objects().isEmpty()) {
        samples += alike.pins.count();
        alike.threads().forEach(sampledThreads::add);
        for (MonitorObject object : held.objects()) {
          alike.threads().forEach(threadsOf.computeIfAbsent(object, o -> new HashSet<>())::add);
          samplesOf.merge(object, alike.pins.count(), Long::sum);
        }
      }
    }
    return samples == 0
        ? Optional.empty()
        : Optional.of(
            new LockObjects(
                (int) samples,
                threadsOf.size(),
                distinct(sampledThreads.build()),
                threadsOf.values().stream().mapToInt(Set::size).max().orElse(0),
                (int) threadsOf.values().stream().filter(of -> of.size() > 1).count(),
                samplesOf.values().stream().mapToInt(Math::toIntExact).min().orElse(0)));
  }

  /**
   * Returns the overlap of pins that take a good part of the pinned time; no report needs the rest.
   */
  private Optional<Overlap> overlap(Cost cost, long allNanos) {
    boolean oneRecording = members.stream().mapToInt(Member::recording).distinct().count() == 1;
    if (!oneRecording || cost.totalNanos() < allNanos * Overlap.LEAST_SHARE) {
      return Optional.empty();
    }
    long[] starts = new long[(int) cost.count()];
    long[] ends = new long[starts.length];
    int place = 0;
    for (Member alike : members) {
      alike.pins.copyDurations(ends, place);
      place = alike.pins.copyStarts(starts, place);
    }
    for (int pin = 0; pin < ends.length; pin++) {
      ends[pin] += starts[pin];
    }
    return Optional.of(
        Overlap.of(starts, ends, members.stream().flatMapToInt(Member::threads).toArray()));
  }

  private List<ReachedFrom> reachedFrom() {
    Map<List<Object>, Frame> frames = new LinkedHashMap<>();
    Map<List<Object>, Long> counts = new HashMap<>();
    for (Member alike : members) {
      if (alike.application.isPresent()) {
        // A frame may be interpreted or compiled; that makes no difference to a reader of its line.
        Frame frame = alike.application.get();
        List<Object> line =
            List.of(frame.type().name(), frame.method(), frame.descriptor(), frame.line());
        frames.putIfAbsent(line, frame);
        counts.merge(line, alike.pins.count(), Long::sum);
      }
    }
    return frames.entrySet().stream()
        .map(entry -> new ReachedFrom(entry.getValue(), counts.get(entry.getKey())))
        .sorted(Comparator.comparingLong(ReachedFrom::count).reversed())
        .toList();
  }

  private StackTrace costliestStack() {
    // Within one recording, equal stacks are one object.
    boolean oneRecording = members.stream().mapToInt(Member::recording).distinct().count() == 1;
    Map<StackTrace, Long> nanos = oneRecording ? new IdentityHashMap<>() : new HashMap<>();
    for (Member alike : members) {
      nanos.merge(alike.pins.stack, alike.pins.nanos(), Long::sum);
    }
    StackTrace costliest = members.getFirst().pins.stack;
    for (Member alike : members) {
      if (nanos.get(alike.pins.stack) > nanos.get(costliest)) {
        costliest = alike.pins.stack;
      }
    }
    return costliest;
  }

  private static int distinct(IntStream numbers) {
    return numbers.collect(BitSet::new, BitSet::set, BitSet::or).cardinality();
  }

  private Owner owner(PinCause of) {
    return of.type().map(this::ownerOf).orElseGet(() -> new Owner.UnknownJar(""));
  }

  private Owner ownerOf(ClassRef type) {
    Owner owner = owners.get(type);
    if (owner == null) {
      throw new IllegalArgumentException("nobody said whose code " + type.name() + " is");
    }
    return owner;
  }
}
