package io.github.vtdiag.baseline;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import io.github.vtdiag.recording.Watched;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The conditions under which a run was recorded.
 *
 * @param jdks the feature numbers of the Javas that ran
 * @param recordings the number of recordings
 * @param durationNanos the time that they cover together
 * @param thresholds the threshold in nanoseconds of each event that reports pins, the highest of
 *     all recordings; -1 if one had it off or does not say
 * @param watched whether a watch sampled the carriers in all of them
 * @param lookedNanos the part of that time in which the waits of virtual threads were sampled
 * @param starvedNanos the time in which a watch could not sample, of recordings in which that was
 *     too much: the machine had no processor for it, nor for others
 * @param waitingPart the part of the carriers' time, at the least, in which threads on them could
 *     have run and got no processor, 0 to 1
 * @param changed whether one of them was made under a what-if
 * @param load the part of the carriers' time that ran Java code, 0 to 1; empty if it is not known
 */
public record Conditions(
    List<Integer> jdks,
    int recordings,
    long durationNanos,
    Map<String, Long> thresholds,
    boolean watched,
    long lookedNanos,
    long starvedNanos,
    double waitingPart,
    boolean changed,
    OptionalDouble load) {
  private static final long OFF = -1;

  /** The factor beyond which runs that differ in length or load get a remark. */
  private static final double SAME_LENGTH = 4;

  private static final double SAME_LOAD = 3;

  /** The error of a load, which is estimated from samples. */
  private static final double LOAD_ERROR = 0.2;

  /**
   * The most that the part of the carriers' time without a processor may differ. Beyond it, pins
   * last longer.
   */
  private static final double MOST_WAITING = 0.25;

  public Conditions {
    jdks = List.copyOf(jdks);
    thresholds = Map.copyOf(thresholds);
  }

  static Conditions of(Findings findings) {
    List<RecordingFacts> all = findings.recordings();
    Map<String, Long> thresholds = new TreeMap<>();
    for (String event : Events.EPISODES) {
      for (RecordingFacts facts : all) {
        if (event.equals(Events.PINNED) || facts.jdk() < JavaRelease.UNPINNED_MONITORS) {
          EventSetting setting = facts.settings().get(event);
          long threshold = setting == null || !setting.enabled() ? OFF : setting.thresholdNanos();
          thresholds.merge(event, threshold, (a, b) -> a == OFF || b == OFF ? OFF : Long.max(a, b));
        }
      }
    }
    return new Conditions(
        all.stream().map(RecordingFacts::jdk).distinct().sorted().toList(),
        all.size(),
        all.stream().mapToLong(RecordingFacts::durationNanos).sum(),
        thresholds,
        all.stream().allMatch(facts -> facts.watched().isPresent()),
        all.stream()
            .filter(facts -> !has(findings, Gap.Kind.WAITS_UNSEEN, facts))
            .mapToLong(RecordingFacts::durationNanos)
            .sum(),
        all.stream()
            .filter(facts -> has(findings, Gap.Kind.WATCH_STARVED, facts))
            .mapToLong(facts -> facts.watched().map(Watched::blindNanos).orElse(0L))
            .sum(),
        findings.account().partWithoutProcessor(),
        all.stream()
            .anyMatch(facts -> facts.agent().filter(RecordingFacts.Agent::isWhatIf).isPresent()),
        findings.account().capacityNanos() > 0
            ? OptionalDouble.of(findings.account().part(Use.JAVA))
            : OptionalDouble.empty());
  }

  private static boolean has(Findings findings, Gap.Kind kind, RecordingFacts facts) {
    return findings.gaps().stream()
        .anyMatch(gap -> gap.kind() == kind && gap.recording().equals(facts.source()));
  }

  private boolean isBlind() {
    return thresholds.getOrDefault(Events.PINNED, OFF) == OFF;
  }

  /** Returns the length of the run. */
  double minutes() {
    return durationNanos / 60e9;
  }

  /**
   * Returns why the differences of two runs may have other causes than the program; one clause
   * each.
   */
  static List<String> obstacles(Conditions before, Conditions after) {
    List<String> obstacles = new ArrayList<>();
    if (before.recordings == 0 || after.recordings == 0) {
      obstacles.add("there is no recording " + (after.recordings == 0 ? "after" : "before"));
      return obstacles;
    }
    if (before.isBlind() && after.isBlind()) {
      obstacles.add("neither run recorded " + Events.PINNED);
    }
    if (!before.jdks.equals(after.jdks)) {
      obstacles.add("Java " + javas(before) + " ran before, and " + javas(after) + " after");
    }
    if (before.changed != after.changed) {
      obstacles.add(
          "only the run " + (before.changed ? "before" : "after") + " was made under a what-if");
    }
    if (before.watched != after.watched) {
      obstacles.add(
          "only the run "
              + (before.watched ? "before" : "after")
              + " has samples of the carriers throughout");
    }
    Map<String, Long> thresholds = new TreeMap<>(before.thresholds);
    thresholds.putAll(after.thresholds);
    for (String event : thresholds.keySet()) {
      Long one = before.thresholds.get(event);
      Long other = after.thresholds.get(event);
      // The Java version decides whether it is asked for at all; that is reported already.
      if (one != null && other != null && !one.equals(other)) {
        obstacles.add(event + " was " + setting(one) + " before, and " + setting(other) + " after");
      }
    }
    return obstacles;
  }

  /**
   * Returns why pins may have taken longer in one of two runs than the program made them, one
   * clause each: its machine was overloaded.
   */
  static List<String> starved(Conditions before, Conditions after) {
    List<String> starved = new ArrayList<>();
    before.starved("before", after).ifPresent(starved::add);
    after.starved("after", before).ifPresent(starved::add);
    return starved;
  }

  /**
   * Returns the same of one run.
   *
   * @param which how to call it
   * @param other the run with which it is compared
   */
  public Optional<String> starved(String which, Conditions other) {
    String machine = "the machine of the run " + which + " was too busy: ";
    if (starvedNanos > 0) {
      return Optional.of(
          machine
              + "the agent's watch could not look at the carriers for "
              + Figures.duration(starvedNanos)
              + " of "
              + Figures.duration(durationNanos));
    }
    // If both have too few processors, as in a container, that is the usual condition.
    return waitingPart - other.waitingPart > MOST_WAITING
        ? Optional.of(
            machine
                + "threads on carriers could have run and got no processor for "
                + Figures.percent(waitingPart)
                + " of the carriers' time")
        : Optional.empty();
  }

  /** Returns what only one of two runs tells, one clause each. */
  static List<String> untold(Conditions before, Conditions after) {
    if (before.lookedNanos > 0 == after.lookedNanos > 0) {
      return List.of();
    }
    return List.of(
        "what virtual threads wait for once they have left their carriers: only the run "
            + (before.lookedNanos > 0 ? "before" : "after")
            + " tells it");
  }

  /** Returns what differs and may explain some of the differences; one clause each. */
  static List<String> remarks(Conditions before, Conditions after) {
    List<String> remarks = new ArrayList<>();
    if (areApart(before.minutes(), after.minutes(), SAME_LENGTH)) {
      remarks.add(
          "length: "
              + Figures.duration(before.durationNanos)
              + " before, "
              + Figures.duration(after.durationNanos)
              + " after");
    }
    if (before.load.isPresent()
        && after.load.isPresent()
        && Math.abs(before.load.getAsDouble() - after.load.getAsDouble()) > LOAD_ERROR
        && areApart(before.load.getAsDouble(), after.load.getAsDouble(), SAME_LOAD)) {
      remarks.add(
          "load: the carriers ran Java code for "
              + Figures.percent(before.load.getAsDouble())
              + " of the time before, "
              + Figures.percent(after.load.getAsDouble())
              + " after");
    }
    return remarks;
  }

  private static boolean areApart(double one, double other, double factor) {
    return Math.max(one, other) > factor * Math.min(one, other);
  }

  private static String javas(Conditions of) {
    return of.jdks.isEmpty()
        ? "unknown"
        : String.join(
            " and ", of.jdks.stream().map(jdk -> jdk == 0 ? "unknown" : "" + jdk).toList());
  }

  private static String setting(long threshold) {
    return threshold == OFF
        ? "off"
        : threshold == 0
            ? "recorded whole"
            : "recorded from " + Figures.duration(threshold) + " on";
  }
}
