package io.github.vtdiag.analysis;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Hang;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Observation.AtOnce;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * All that the recordings show about pinning, and what they cannot show.
 *
 * @param recordings the recordings
 * @param account the account of the carriers' time
 * @param pins the pins by cause, the costliest first
 * @param behaviors waits and misuse: first what limits the program, then by cost
 * @param sets the pins by all that held their carriers: a pin ends only when every cause is gone
 * @param cost what all pins cost together
 * @param threads the number of pinned threads
 * @param capacity the carrier time there was, if it is known
 * @param pinnedWhenShort the part of the carriers that pins held, on average, at the moments at
 *     which threads were queued, 0 to 1; empty if there were none or the recordings do not show it
 * @param since24 what would become of the pinned time on JDK 24+; empty if that is what recorded
 * @param endings the recordings at whose end every carrier was held
 * @param longestWait the longest time, in nanoseconds, for which a virtual thread had waited for
 *     another thread when a recording ended; 0 if none had for {@link
 *     io.github.vtdiag.waits.LongWait#SHORTEST_NANOS}; empty if one of the recordings does not show
 *     it
 * @param gaps what the recordings cannot show
 * @param unmatched monitors that ran and are not in the class files, each with the reason, a clause
 * @param numbers the number of each pin's site among all sites of the program with its name, where
 *     that is known
 */
public record Findings(
    List<RecordingFacts> recordings,
    Account account,
    List<Pin> pins,
    List<Behavior> behaviors,
    CauseSets sets,
    Cost cost,
    int threads,
    Optional<Capacity> capacity,
    OptionalDouble pinnedWhenShort,
    Optional<Since24> since24,
    List<Ending> endings,
    OptionalLong longestWait,
    List<Gap> gaps,
    Map<MonitorId, String> unmatched,
    Map<Site, Integer> numbers) {

  /** Carrier time: parallelism times duration. */
  public record Capacity(long nanos) {}

  /**
   * The pinned time of JDK 21 to 23 by what becomes of it on JDK 24+ (JEP 491).
   *
   * @param goneNanos the time of pins all of whose causes are monitors
   * @param staysNanos the time of pins with a native frame or class initialization among their
   *     causes
   * @param unknownNanos the time of pins that are not explained
   */
  public record Since24(long goneNanos, long staysNanos, long unknownNanos) {}

  /** The carrier time, in multiples of that of the regular carriers, that is of added ones, too. */
  private static final double MANY_ADDED = 1.25;

  public Findings {
    recordings = List.copyOf(recordings);
    pins = List.copyOf(pins);
    behaviors = List.copyOf(behaviors);
    endings = List.copyOf(endings);
    gaps = List.copyOf(gaps);
    unmatched = Map.copyOf(unmatched);
    numbers = Map.copyOf(numbers);
  }

  /** Returns the feature number of the oldest JDK that recorded; 0 if none is known. */
  public int oldestJdk() {
    return recordings.stream().mapToInt(RecordingFacts::jdk).min().orElse(0);
  }

  /** Returns the feature number of the newest JDK that recorded; 0 if none is known. */
  public int jdk() {
    return recordings.stream().mapToInt(RecordingFacts::jdk).max().orElse(0);
  }

  /**
   * Returns every hang that the agent reported, including those that ended before the recording.
   */
  public List<Hang> hangs() {
    return recordings.stream()
        .flatMap(facts -> facts.hangs().stream().map(seen -> new Hang(facts.source(), seen)))
        .toList();
  }

  /** Returns the hangs that had not ended then. A hang that ended left its pins. */
  public List<Hang> ongoingHangs() {
    return hangs().stream().filter(Hang::isOngoing).toList();
  }

  /** Returns all findings: hangs, then pins, then waits and misuse. */
  public List<Finding> all() {
    return Stream.of(ongoingHangs(), pins, behaviors).<Finding>flatMap(List::stream).toList();
  }

  /** Returns the number of pins that had not ended when their recording did. */
  public long unended() {
    return pins.stream().mapToLong(Pin::unended).sum();
  }

  /** Returns the part of all carrier time that was pinned, 0 to 1. */
  public OptionalDouble shareOfCapacity() {
    return capacity.isPresent() && capacity.get().nanos() > 0
        ? OptionalDouble.of((double) cost.totalNanos() / capacity.get().nanos())
        : OptionalDouble.empty();
  }

  /** Returns these findings with more gaps. */
  public Findings withGaps(List<Gap> more) {
    return with(
        behaviors,
        longestWait,
        Stream.concat(gaps.stream(), more.stream()).toList(),
        unmatched,
        numbers);
  }

  /** Returns these findings with the monitors that are not in the class files. */
  public Findings withUnmatched(Map<MonitorId, String> monitors) {
    return with(behaviors, longestWait, gaps, monitors, numbers);
  }

  /** Returns these findings with the numbers of their pins' sites. */
  public Findings withNumbers(Map<Site, Integer> sites) {
    return with(behaviors, longestWait, gaps, unmatched, sites);
  }

  /** Returns these findings with the longest wait at the end of a recording. */
  public Findings withLongestWait(OptionalLong nanos) {
    return with(behaviors, nanos, gaps, unmatched, numbers);
  }

  /** Returns these findings with more waits and misuse, which may come in any order. */
  public Findings withBehaviors(List<Behavior> more) {
    return with(
        Stream.concat(behaviors.stream(), more.stream())
            .sorted(
                Comparator.comparing((Behavior behavior) -> !behavior.seen().limits())
                    .thenComparingDouble(
                        behavior -> -behavior.seen().atOnce().map(AtOnce::mean).orElse(0.0))
                    .thenComparingDouble(behavior -> -behavior.seen().amount().value()))
            .toList(),
        longestWait,
        gaps,
        unmatched,
        numbers);
  }

  /** Returns the same findings, except for what is found out after the pins were grouped. */
  private Findings with(
      List<Behavior> others,
      OptionalLong longest,
      List<Gap> untold,
      Map<MonitorId, String> none,
      Map<Site, Integer> sites) {
    return new Findings(
        recordings,
        account,
        pins,
        others,
        sets,
        cost,
        threads,
        capacity,
        pinnedWhenShort,
        since24,
        endings,
        longest,
        untold,
        none,
        sites);
  }

  public boolean has(Gap.Kind kind) {
    return gaps.stream().anyMatch(gap -> gap.kind() == kind);
  }

  public boolean has(Gap.Trait trait) {
    return gaps.stream().anyMatch(gap -> gap.kind().is(trait));
  }

  /** Returns how the JVMs of the recordings were launched. */
  public List<Launch> launches() {
    return recordings.stream().map(RecordingFacts::launch).distinct().toList();
  }

  /** Returns whether the scheduler added carriers for threads in Object.wait. */
  public boolean hasAddedCarriers() {
    return capacity
        .filter(regular -> account.capacityNanos() > MANY_ADDED * regular.nanos())
        .isPresent();
  }
}
