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
 * How a run was recorded.
 *
 * @param jdks the feature numbers of the Javas that ran
 * @param recordings how many recordings it has
 * @param durationNanos the time that they cover together
 * @param thresholds of each event that tells of pins the threshold in nanoseconds, the highest of
 *     all recordings; -1 if one had it off or does not say
 * @param watched whether a watch looked at the carriers in all of them
 * @param lookedNanos the part of that time in which somebody looked what virtual threads wait for
 * @param starvedNanos of recordings whose watch could not look for too much of the time, the time
 *     in which it could not: the machine had no processor for it, nor for others
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

  /** Runs that differ more in length or load are said to. */
  private static final double SAME_LENGTH = 4;

  private static final double SAME_LOAD = 3;

  /** A load is an estimate from samples. */
  private static final double LOAD_ERROR = 0.2;

  /** Threads that get no processor for so much more of the carriers' time make pins longer. */
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

  /** How long it ran. */
  double minutes() {
    return durationNanos / 60e9;
  }

  /** Why what differs between two runs need not be due to the program; one clause each. */
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
              + " had a watch over the carriers all the time");
    }
    Map<String, Long> thresholds = new TreeMap<>(before.thresholds);
    thresholds.putAll(after.thresholds);
    for (String event : thresholds.keySet()) {
      Long one = before.thresholds.get(event);
      Long other = after.thresholds.get(event);
      // Which Java ran decides if it is asked for at all; that is said already.
      if (one != null && other != null && !one.equals(other)) {
        obstacles.add(event + " was " + setting(one) + " before, and " + setting(other) + " after");
      }
    }
    return obstacles;
  }

  /**
   * Why pins may have taken longer in one of two runs than the program made them, one clause each:
   * its machine had too much else to do.
   */
  static List<String> starved(Conditions before, Conditions after) {
    List<String> starved = new ArrayList<>();
    before.starved("before", after).ifPresent(starved::add);
    after.starved("after", before).ifPresent(starved::add);
    return starved;
  }

  /**
   * The same of one run.
   *
   * @param which how to call it
   * @param other what it is held against
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
    // Where both have too few processors, as in a container, that is how it runs.
    return waitingPart - other.waitingPart > MOST_WAITING
        ? Optional.of(
            machine
                + "threads on carriers could have run and got no processor for "
                + Figures.percent(waitingPart)
                + " of the carriers' time")
        : Optional.empty();
  }

  /** What only one of two runs tells, one clause each. */
  static List<String> untold(Conditions before, Conditions after) {
    if (before.lookedNanos > 0 == after.lookedNanos > 0) {
      return List.of();
    }
    return List.of(
        "what virtual threads wait for once they have left their carriers: only the run "
            + (before.lookedNanos > 0 ? "before" : "after")
            + " tells it");
  }

  /** What differs and may explain some of the differences; one clause each. */
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
