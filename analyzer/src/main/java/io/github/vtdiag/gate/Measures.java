package io.github.vtdiag.gate;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.gate.Measure.About;
import io.github.vtdiag.gate.Measure.Aggregation;
import io.github.vtdiag.gate.Measure.Bound;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import io.github.vtdiag.recording.Watched;
import io.github.vtdiag.waits.LongWait;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/** All measures that a gate can limit. A new limit is a new constant here, and nothing else. */
public final class Measures {
  /** The gaps by which thresholds keep short pins out of a sum. */
  private static final Set<Gap.Kind> SHORT_ONES =
      Set.of(Gap.Kind.SHORT_PINS_HIDDEN, Gap.Kind.SHORT_MONITOR_EVENTS_HIDDEN);

  private static final Measure.Unseen NONE = (limit, findings) -> List.of();

  public static final Measure LONGEST_PIN =
      new Measure(
          "LONGEST_PIN",
          "longest pin",
          "--max-pin",
          Unit.DURATION,
          Bound.AT_MOST,
          "The longest that a single pin may last: 50ms, 1.5s, 200us, PT0.2S.",
          About.PINS,
          (findings, pins) -> known(pins.longestNanos()),
          of -> known(of.longestNanos()),
          Pin::longest,
          Aggregation.MAXIMUM,
          Set.of(),
          Set.of(),
          Measures::tooShortToBeRecorded,
          Measures::tooShortToBeWatched);

  public static final Measure TOTAL =
      new Measure(
          "TOTAL",
          "pinned time",
          "--max-total",
          Unit.DURATION,
          Bound.AT_MOST,
          "The most time that all pins may take together.",
          About.PINS,
          (findings, pins) -> known(pins.totalNanos()),
          of -> known(of.totalNanos()),
          Pin::total,
          Aggregation.SUM,
          Set.of(),
          SHORT_ONES,
          NONE,
          NONE);

  public static final Measure COUNT =
      new Measure(
          "COUNT",
          "pins",
          "--max-count",
          Unit.COUNT,
          Bound.AT_MOST,
          "The most pins that are allowed.",
          About.PINS,
          (findings, pins) -> known(pins.count()),
          of -> known(of.count()),
          Pin::count,
          Aggregation.SUM,
          Set.of(),
          SHORT_ONES,
          NONE,
          NONE);

  public static final Measure RATE =
      new Measure(
          "RATE",
          "pins per minute",
          "--max-rate",
          Unit.RATE,
          Bound.AT_MOST,
          "The most pins that are allowed per minute of the recordings: 60, 0.5 or 60/min.",
          About.PINS,
          (findings, pins) -> perMinute(findings, pins.count()),
          Gathered::rate,
          Pin::count,
          Aggregation.SUM,
          Set.of(),
          SHORT_ONES,
          (limit, findings) ->
              minutes(findings) > 0
                  ? List.of()
                  : List.of("the recordings do not show for how long they ran"),
          NONE);

  public static final Measure CAPACITY_LOST =
      new Measure(
          "CAPACITY_LOST",
          "carrier time lost",
          "--max-capacity-lost",
          Unit.PERCENT,
          Bound.AT_MOST,
          "The share of all carrier time that may be pinned: 5 or 5%.",
          About.PINS,
          (findings, pins) -> shareOfCapacity(findings, pins.totalNanos()),
          Gathered::shareOfCapacity,
          Pin::total,
          Aggregation.SUM,
          Set.of(Gap.Kind.CAPACITY_UNKNOWN),
          SHORT_ONES,
          NONE,
          NONE);

  public static final Measure QUEUE =
      new Measure(
          "QUEUE",
          "threads waiting for a carrier",
          "--max-queue",
          Unit.COUNT,
          Bound.AT_MOST,
          "The most virtual threads that may be queued for a carrier at a time, on average.",
          About.CARRIERS,
          (findings, pins) ->
              findings.account().queue().isPresent()
                  ? OptionalDouble.of(findings.account().queue().get().mean())
                  : OptionalDouble.empty(),
          Gathered::queue,
          finding -> 0,
          Aggregation.SUM,
          Set.of(),
          Set.of(),
          (limit, findings) ->
              findings.account().queue().isPresent()
                  ? List.of()
                  : List.of(
                      "the recordings do not show how many virtual threads waited for a carrier;"
                          + " record with vtdiag's agent"),
          NONE);

  public static final Measure MONOPOLIZED =
      new Measure(
          "MONOPOLIZED",
          "time with threads queued while all carriers computed",
          "--max-monopolized",
          Unit.PERCENT,
          Bound.AT_MOST,
          "The share of the time in which virtual threads may be queued while all carriers compute:"
              + " 5 or 5%.",
          About.CARRIERS,
          (findings, pins) -> monopolized(findings.account()),
          Gathered::monopolized,
          finding -> 0,
          Aggregation.SUM,
          Set.of(),
          Set.of(),
          (limit, findings) ->
              findings.account().saturation().isPresent()
                  ? List.of()
                  : List.of(
                      "the recordings do not show what the carriers did while threads were"
                          + " queued; record with vtdiag's agent and its watch"),
          NONE);

  public static final Measure IDLE =
      new Measure(
          "IDLE",
          "idle carrier time",
          "--min-idle",
          Unit.PERCENT,
          Bound.AT_LEAST,
          "The least share of all carrier time that must be idle: 20 or 20%.",
          About.CARRIERS,
          (findings, pins) ->
              isIdleTold(findings.account())
                  ? OptionalDouble.of(findings.account().part(Use.IDLE))
                  : OptionalDouble.empty(),
          Gathered::idle,
          finding -> 0,
          Aggregation.SUM,
          Set.of(),
          Set.of(),
          (limit, findings) ->
              isIdleTold(findings.account())
                  ? List.of()
                  : List.of(
                      "the recordings do not show when carriers were idle; record with vtdiag's"
                          + " agent and its watch"),
          NONE);

  public static final Measure STALL =
      new Measure(
          "STALL",
          "longest wait for another thread at the end",
          "--max-stall",
          Unit.DURATION,
          Bound.AT_MOST,
          "How long a thread, virtual or not, may have waited for another thread when the recording"
              + " ended: 30s, 10m. Without it a wait of 30 s, or of a quarter of the recording, is"
              + " NO_DATA.",
          About.WAITS,
          (findings, pins) ->
              findings.longestWait().isPresent()
                  ? known(findings.longestWait().getAsLong())
                  : OptionalDouble.empty(),
          Gathered::longestWaitNanos,
          finding -> 0,
          Aggregation.SUM,
          Set.of(),
          Set.of(),
          Measures::waitsUnseen,
          NONE);

  /** All measures, in the order in which a verdict names them. */
  public static final List<Measure> ALL =
      List.of(LONGEST_PIN, TOTAL, COUNT, RATE, CAPACITY_LOST, QUEUE, MONOPOLIZED, IDLE, STALL);

  /** The most of the time that may be unseen before it is unknown how much was idle. */
  private static final double UNSEEN = 0.1;

  private Measures() {}

  private static List<String> waitsUnseen(double limit, Findings findings) {
    if (findings.longestWait().isEmpty()) {
      return List.of(
          "the recordings do not show how long threads had waited at the end; record with vtdiag's"
              + " agent and its watch");
    }
    return limit < LongWait.SHORTEST_NANOS && findings.longestWait().getAsLong() == 0
        ? List.of(
            "the recordings do not show waits of less than "
                + Figures.duration(LongWait.SHORTEST_NANOS)
                + "; raise --max-stall")
        : List.of();
  }

  private static OptionalDouble shareOfCapacity(Findings findings, long nanos) {
    return findings.capacity().isPresent() && findings.capacity().get().nanos() > 0
        ? OptionalDouble.of((double) nanos / findings.capacity().get().nanos())
        : OptionalDouble.empty();
  }

  private static OptionalDouble perMinute(Findings findings, long count) {
    return minutes(findings) > 0
        ? OptionalDouble.of(count / minutes(findings))
        : OptionalDouble.empty();
  }

  private static double minutes(Findings findings) {
    return findings.recordings().stream().mapToLong(RecordingFacts::durationNanos).sum() / 60e9;
  }

  private static boolean isIdleTold(Account account) {
    return account.isIdleKnown() && account.part(Use.UNKNOWN) <= UNSEEN;
  }

  private static OptionalDouble monopolized(Account account) {
    return account.saturation().isPresent() && account.spanNanos() > 0
        ? OptionalDouble.of(
            account.saturation().get().nanos()
                * account.saturation().get().part(Use.JAVA)
                / account.spanNanos())
        : OptionalDouble.empty();
  }

  private static OptionalDouble known(long figure) {
    return OptionalDouble.of((double) figure);
  }

  /**
   * Tells of pins above the limit, but below the threshold of their event: they were not recorded.
   */
  private static List<String> tooShortToBeRecorded(double limit, Findings findings) {
    List<String> events = new ArrayList<>();
    findings.recordings().forEach(facts -> tooShortToBeRecorded((long) limit, facts, events));
    return events;
  }

  private static void tooShortToBeRecorded(long limit, RecordingFacts facts, List<String> to) {
    for (String event : Events.EPISODES) {
      EventSetting setting = facts.settings().get(event);
      boolean canPin = event.equals(Events.PINNED) || facts.jdk() < JavaRelease.UNPINNED_MONITORS;
      if (canPin && setting != null && setting.enabled() && setting.thresholdNanos() > limit) {
        to.add(
            facts.source()
                + ": the threshold of "
                + event
                + " was "
                + Figures.durationBeside(setting.thresholdNanos(), limit)
                + ", above the limit of "
                + Figures.durationBeside(limit, setting.thresholdNanos())
                + "; record with a lower threshold");
      }
    }
  }

  /** Tells of blocking in native code above the limit that the watch leaves out. */
  private static List<String> tooShortToBeWatched(double limit, Findings findings) {
    List<String> sentences = new ArrayList<>();
    for (RecordingFacts facts : findings.recordings()) {
      facts
          .watched()
          .map(Watched::nativeNanos)
          .filter(nanos -> nanos > limit)
          .ifPresent(
              nanos ->
                  sentences.add(
                      facts.source()
                          + " does not show blocking in native code for less than "
                          + Figures.durationBeside(nanos, (long) limit)));
    }
    return sentences;
  }
}
