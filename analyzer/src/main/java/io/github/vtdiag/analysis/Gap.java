package io.github.vtdiag.analysis;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.waits.Stall;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Something that the recordings cannot show.
 *
 * @param kind the sort of gap
 * @param recording the recording that has it; empty if it concerns all of them
 * @param text one clause for the user
 * @param threshold the threshold that kept events out, if that is the gap
 * @param stalledNanos the time for which threads had waited at the end, if that is the gap
 */
public record Gap(
    Kind kind,
    String recording,
    String text,
    Optional<Threshold> threshold,
    OptionalLong stalledNanos) {

  /**
   * The duration below which events of one kind were not recorded.
   *
   * @param events the events' name: {@code pins}
   * @param nanos the duration; shorter events were not recorded
   */
  public record Threshold(String events, long nanos) {
    /** Returns a phrase such as {@code pins shorter than 20 ms}. */
    public String text() {
      return events + " shorter than " + Figures.duration(nanos);
    }
  }

  public Gap(Kind kind, String recording, String text) {
    this(kind, recording, text, Optional.empty(), OptionalLong.empty());
  }

  /** Returns the gap that threads stood still at the end, the longest of them for that time. */
  public static Gap stalled(String recording, String text, long nanos) {
    return new Gap(Kind.STALLED_AT_END, recording, text, Optional.empty(), OptionalLong.of(nanos));
  }

  Gap(Kind kind, String recording, Threshold threshold) {
    this(kind, recording, threshold.text(), Optional.of(threshold), OptionalLong.empty());
  }

  /** The sorts of gap. */
  public enum Kind {
    /** {@code jdk.VirtualThreadPinned} was off. */
    PINNED_EVENT_OFF(Trait.HIDES_PINS, Trait.FORBIDS_BASELINE),
    /** The recording does not say whether {@code jdk.VirtualThreadPinned} was on. */
    PINNED_EVENT_UNKNOWN(Trait.HIDES_PINS, Trait.FORBIDS_BASELINE),
    /** A threshold kept shorter pins out. */
    SHORT_PINS_HIDDEN,
    /** A threshold kept shorter monitor entries or waits out, which are pins on JDK 21 to 23. */
    SHORT_MONITOR_EVENTS_HIDDEN,
    /** Monitor entries or waits, which are pins on JDK 21 to 23, were not recorded. */
    MONITOR_EVENT_OFF,
    /** Pins have no stack, so what held the carrier is unknown. */
    NO_STACKS(Trait.LIMITS_ADVICE),
    /** Stacks were cut off: a monitor further out is not seen. */
    STACKS_TRUNCATED(Trait.LIMITS_ADVICE),
    /** No watch sampled the carriers: unended pins and blocking in native code are unseen. */
    UNWATCHED(Trait.THINS_BASELINE),
    /** The agent's watch could not sample for a good part of the time. */
    WATCH_STARVED(Trait.LIMITS_ADVICE, Trait.THINS_BASELINE),
    /** There were carriers of other schedulers than the JDK's, for which there is no account. */
    OTHER_SCHEDULER(Trait.LIMITS_ADVICE),
    /** Waits were too short for the agent's watch. */
    SHORT_WAITS_UNWATCHED,
    /** Nothing recorded what unmounted virtual threads wait for. */
    WAITS_UNSEEN,
    /** Virtual threads were queued, and nothing that was seen explains it. */
    QUEUE_UNEXPLAINED(Trait.LIMITS_ADVICE),
    /** Every carrier was held by a pin when the recording ended, and threads were queued. */
    ALL_KEPT_AT_END(Trait.LIMITS_ADVICE),
    /**
     * Virtual threads had waited for long at the end, and nothing shows what would end the wait.
     */
    STALLED_AT_END(Trait.STALL, Trait.LIMITS_ADVICE),
    /** The recording was stopped while the program continued. */
    ENDED_EARLY(Trait.LIMITS_ADVICE),
    /** The first events that the agent recorded are no longer in the recording. */
    BEGINNING_LOST(Trait.LIMITS_ADVICE),
    /** JDK 24+: monitors do not pin, so how the code behaves on 21 is unknown. */
    MONITORS_DO_NOT_PIN(Trait.LIMITS_ADVICE),
    /** JFR itself lost events. */
    EVENTS_LOST(Trait.INCOMPLETE, Trait.LIMITS_ADVICE, Trait.NAMES_FAULT, Trait.THINS_BASELINE),
    /** Part of the recording could not be read. */
    DAMAGED(Trait.INCOMPLETE, Trait.LIMITS_ADVICE, Trait.NAMES_FAULT, Trait.THINS_BASELINE),
    /**
     * The bytes of some classes on the stacks were not available, so their monitors are unknown.
     */
    CLASSES_UNREAD(Trait.LIMITS_ADVICE),
    /** The same for classes of the JDK: the one that ran is not the one that runs vtdiag. */
    JDK_CLASSES_UNREAD,
    /** Classes on the stacks have bytes other than those that ran, or are in no jar. */
    CLASSES_UNFIT(Trait.LIMITS_ADVICE),
    /** Agents changed classes as they were loaded; their monitors are matched by their order. */
    CLASSES_CHANGED(Trait.STATEMENT, Trait.LIMITS_ADVICE),
    /** A jar or class file could not be read. */
    CLASS_PATH_PROBLEM(Trait.INCOMPLETE, Trait.LIMITS_ADVICE),
    /** Not recorded by vtdiag's agent: no lock maps of the loaded classes, no sampled monitors. */
    NO_AGENT,
    /**
     * The agent replaced monitors by locks: the pins are not those of the unchanged application.
     */
    WHAT_IF(Trait.LIMITS_ADVICE, Trait.FORBIDS_BASELINE),
    /** The number of carriers is not known, so neither is their capacity. */
    CAPACITY_UNKNOWN,
    /** The JDK's version is not known. */
    JDK_UNKNOWN,
    /** A recording that was named does not exist or is empty. */
    NOTHING_RECORDED(Trait.INCOMPLETE, Trait.LIMITS_ADVICE, Trait.NAMES_FAULT),
    /** No recording has anything from the time range that was asked for. */
    OUTSIDE_RANGE(Trait.LIMITS_ADVICE, Trait.FORBIDS_BASELINE);

    @SuppressWarnings("ImmutableEnumChecker") // Set.of cannot be changed.
    private final Set<Trait> traits;

    Kind(Trait... traits) {
      this.traits = Set.of(traits);
    }

    public boolean is(Trait trait) {
      return traits.contains(trait);
    }
  }

  /** A property of a kind that reports and baselines depend on. */
  public enum Trait {
    /** The recording could not have shown a pin. */
    HIDES_PINS,
    /** A part of what was named could not be read. */
    INCOMPLETE,
    /** The text says what was done about it, not what is missing. */
    STATEMENT,
    /** The text says what no recording shows; the program may have stalled. */
    STALL,
    /** Advice might be different without the gap. */
    LIMITS_ADVICE,
    /** The text says what is wrong with the recording, not what it does not show. */
    NAMES_FAULT,
    /** The recording cannot be a baseline. */
    FORBIDS_BASELINE,
    /** A baseline may lack findings. */
    THINS_BASELINE
  }

  /** Returns a possible stall in a sentence. */
  public String stall() {
    return Printable.upperFirst(Stall.POSSIBLE) + text + ".";
  }

  /** Returns what is missing, as a sentence without its end. */
  public String sentence() {
    if (kind.is(Trait.NAMES_FAULT)) {
      return recording.isEmpty() ? text : recording + ": " + text;
    }
    if (kind.is(Trait.STALL)) {
      return (recording.isEmpty() ? "" : recording + ": ") + Stall.POSSIBLE + text;
    }
    return (recording.isEmpty() ? "the recordings do" : recording + " does") + " not show " + text;
  }
}
