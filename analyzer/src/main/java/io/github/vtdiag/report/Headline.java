package io.github.vtdiag.report;

import static io.github.vtdiag.report.words.Phrase.Tone.BAD;
import static io.github.vtdiag.report.words.Phrase.Tone.GOOD;
import static io.github.vtdiag.report.words.Phrase.Tone.STRONG;
import static io.github.vtdiag.report.words.Phrase.Tone.WARNING;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Recommendation.Keep;
import io.github.vtdiag.advice.Recommendation.UpgradeLibrary;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Cost;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Findings.Since24;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.HarmlessPins;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.RecordingFacts.EventSetting;
import io.github.vtdiag.report.words.AccountWords;
import io.github.vtdiag.report.words.AdviceWords;
import io.github.vtdiag.report.words.DeadlockWords;
import io.github.vtdiag.report.words.HangWords;
import io.github.vtdiag.report.words.JavaWords;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.report.words.Words;
import io.github.vtdiag.verdict.Conclusion;
import io.github.vtdiag.verdict.Conclusions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The top of every report on findings: how bad it is, and what frees all of it. */
final class Headline {
  /** The least part of the pinned time that counts as nearly all of it. */
  private static final double NEARLY_ALL = 0.99;

  /** The largest part of the carriers' time that pins may take without being a problem. */
  private static final double FEW_PINS = 0.05;

  /** The part of the carriers' time in native code from which on the headline names it. */
  private static final double MUCH = 0.25;

  /** The part of the carriers below which pins leave enough carriers to run threads. */
  private static final double MOSTLY_FREE = 0.5;

  private final Findings findings;
  private final Advice advice;
  private final ReportEntries entries;
  private final Conclusion conclusion;

  Headline(Findings findings, Advice advice, ReportEntries entries) {
    this.findings = findings;
    this.advice = advice;
    this.entries = entries;
    this.conclusion = Conclusions.of(findings);
  }

  List<Phrase> lines() {
    Cost cost = findings.cost();
    List<Phrase> lines = new ArrayList<>(HangWords.lines(findings));
    lines.addAll(AccountWords.lines(findings));
    if (cost.count() == 0) {
      lines.add(Phrase.of(STRONG, noPins()));
    } else {
      lines.add(blocked(cost));
      lines.add(
          Phrase.of(
              Figures.count(findings.threads(), "virtual thread")
                  + (findings.threads() == 1 ? " was" : " were")
                  + " pinned "
                  + Figures.count(cost.count(), "time")
                  + threshold("")
                  + "."
                  + unended()
                  + waiting()));
    }
    if (isShortOfCarriers() && !saysPinned()) {
      lines.add(Phrase.of(WARNING, unaccounted()));
    }
    if (!advice.main().isEmpty()) {
      lines.addAll(singleFix());
    } else if (cost.count() > 0) {
      lines.add(nothingToDo());
    }
    JavaWords.faults(findings).forEach(fault -> lines.add(Phrase.of(WARNING, fault)));
    return lines;
  }

  /**
   * Returns the line for findings that are all harmless. Many together need not be, nor waits and
   * misuse.
   */
  private Phrase nothingToDo() {
    if (isShortOfCarriers()
        || HangWords.areLasting(findings)
        || findings.has(Gap.Kind.STALLED_AT_END)
        || !findings.behaviors().isEmpty()) {
      return Phrase.of("No pin that was recorded is worth a change" + unlessLimited() + ".");
    }
    double share = findings.shareOfCapacity().orElse(0);
    return share <= FEW_PINS
        ? Phrase.of(GOOD, "Nothing here needs a change" + unlessLimited() + ".")
        : Phrase.of(
            "No pin is long and no finding costs much, but together they take "
                + Figures.percent(share)
                + " of the carriers' time; -v lists them.");
  }

  /**
   * Returns the exception for harmless pins that are longer than a gate usually allows: a gate
   * counts them too.
   */
  private String unlessLimited() {
    long longest = HarmlessPins.longestLoadOver(HarmlessPins.GATE_NANOS, findings.pins());
    return longest == 0 ? "" : ", unless a gate's --max-pin is below " + Figures.duration(longest);
  }

  /** Returns whether threads were queued for carriers that were not seen to be blocked. */
  private boolean isShortOfCarriers() {
    return waitingThreads() > 0
        && findings.pinnedWhenShort().orElse(1) < MOSTLY_FREE
        && findings.recordings().stream()
            .noneMatch(facts -> facts.endsIn(DiagnosisKind.NOT_SCHEDULED))
        && !wereNoBottleneck();
  }

  /** Returns whether the verdict says that carriers were idle, and threads seldom waited. */
  private boolean wereNoBottleneck() {
    Account account = findings.account();
    return conclusion.sure()
        && !conclusion.carriers()
        && account.isIdleKnown()
        && account.queue().filter(queue -> queue.partOfTime() < MOSTLY_FREE).isPresent();
  }

  /** Returns whether the verdict says that carriers were pinned while threads were queued. */
  private boolean saysPinned() {
    return conclusion.sure() && conclusion.kind() == Bottleneck.PINNED;
  }

  private String unaccounted() {
    double pinned = findings.pinnedWhenShort().orElseThrow();
    return (saysAccount()
            ? "Virtual threads"
            : "On average " + Figures.count(waitingThreads(), "virtual thread"))
        + " were queued; meanwhile the recorded pins held "
        + (pinned == 0 ? "no carrier" : "only " + Figures.percent(pinned) + " of the carriers")
        + ". "
        + (findings.has(Gap.Kind.UNWATCHED)
            ? "Either the carriers were busy, or some pins never ended. JFR does not record such"
                + " pins; vtdiag hang PID shows the threads while they last."
            : findings.has(Gap.Kind.QUEUE_UNEXPLAINED)
                ? "The watch saw idle carriers at the same time; the cause is not in the recording."
                : "The watch saw no other pins: the carriers were busy, in Java or in native"
                    + " code.");
  }

  private String unended() {
    long unended = findings.unended();
    if (unended == 0) {
      return "";
    }
    return unended == 1
        ? " One pin had not ended when the recording did; it counts with its length so far."
        : " "
            + Figures.count(unended)
            + " of the pins had not ended when the recording did; they count with their length so"
            + " far.";
  }

  private Phrase blocked(Cost cost) {
    if (findings.shareOfCapacity().isEmpty()) {
      return Phrase.of(
          STRONG,
          "Carriers were blocked for "
              + Figures.seconds(cost.totalNanos())
              + " carrier-seconds; how many carriers there were is not known.");
    }
    double share = findings.shareOfCapacity().getAsDouble();
    String capacity = Figures.seconds(findings.capacity().get().nanos());
    if (share > 1 || findings.hasAddedCarriers()) {
      return Phrase.of(
          STRONG,
          "Carriers were blocked for "
              + Figures.seconds(cost.totalNanos())
              + " carrier-seconds. The regular carriers have "
              + capacity
              + "; the scheduler adds more for threads in Object.wait.");
    }
    return Phrase.of(STRONG, "Carriers were blocked ")
        .and(BAD, Figures.percent(share))
        .and(
            STRONG,
            " of the time: "
                + Figures.seconds(cost.totalNanos())
                + " of "
                + capacity
                + " carrier-seconds."
                + inNativeCode(share));
  }

  /** Returns the part in native code if that kept the carriers for longer than pins did. */
  private String inNativeCode(double pinned) {
    double part = findings.account().part(Use.NATIVE);
    return part >= MUCH && part > pinned
        ? " They were in native code " + Figures.percent(part) + " of the time."
        : "";
  }

  private String waiting() {
    long threads = waitingThreads();
    return threads == 0 || saysAccount() || isShortOfCarriers()
        ? ""
        : " On average "
            + Figures.count(threads, "virtual thread")
            + (threads == 1 ? " was" : " were")
            + " queued.";
  }

  /**
   * Returns whether the account gives the number of queued threads. It measures over time, while
   * the figure here is an average of a few moments, so the two would differ.
   */
  private boolean saysAccount() {
    return AccountWords.queue(findings.account()).isPresent();
  }

  private long waitingThreads() {
    return findings.recordings().size() == 1
        ? Math.round(findings.recordings().getFirst().waitingThreads().orElse(0))
        : 0;
  }

  private String noPins() {
    if (findings.has(Gap.Kind.OUTSIDE_RANGE)) {
      return "No verdict: nothing was recorded between --from and --to.";
    }
    if (findings.has(Gap.Trait.HIDES_PINS)) {
      return "No verdict: the recording could not have shown a pin.";
    }
    if (findings.has(Gap.Kind.DAMAGED) || findings.has(Gap.Kind.EVENTS_LOST)) {
      return "No pins in the part of the recording that can be read.";
    }
    return "No pins" + threshold("; shorter pins were not recorded") + ".";
  }

  /**
   * Returns the threshold of recorded pins. Further down the report lists what the recordings lack.
   */
  private String threshold(String more) {
    long highest = 0;
    for (RecordingFacts facts : findings.recordings()) {
      EventSetting pinned = facts.settings().get(Events.PINNED);
      if (pinned != null) {
        highest = Math.max(highest, pinned.thresholdNanos());
      }
    }
    return highest == 0 ? "" : " (of " + Figures.duration(highest) + " or more" + more + ")";
  }

  /** Returns what frees everything, once for all entries below. */
  private List<Phrase> singleFix() {
    long total = findings.cost().totalNanos();
    List<String> ways = new ArrayList<>();
    long least = total;
    long gone = findings.since24().map(Since24::goneNanos).orElse(0L);
    boolean laterJava =
        gone >= NEARLY_ALL * total && advice.main().stream().noneMatch(AdviceEntry::staysSince24);
    Optional<AdviceEntry> one = oneForAll(total);
    // A single entry says so itself; beside a later Java it must not look like no way at all.
    if (one.isPresent() && (advice.main().size() > 1 || isUpgrade(one.get()) || laterJava)) {
      ways.add(inShort(one.get()));
      least = one.get().freed().nanos();
    }
    if (laterJava) {
      ways.add("run on " + JavaWords.LATER + " (JEP 491)");
      least = Math.min(least, gone);
    }
    List<Phrase> lines = new ArrayList<>();
    boolean deadlock =
        advice.main().stream().anyMatch(entry -> DeadlockWords.effect(entry, findings).isPresent());
    if (!ways.isEmpty()) {
      String all =
          least == total ? "all of it" : "all but " + Figures.duration(total - least) + " of it";
      lines.add(
          Phrase.of("To free " + all + ": " + (deadlock ? "break the deadlock first, then " : ""))
              .and(GOOD, String.join(", or ", ways))
              .and("." + (laterJava ? JavaWords.reason() : "") + (deadlock ? "" : leaves())));
    }
    if (!laterJava) {
      findings
          .since24()
          .map(this::laterJava)
          .filter(text -> !text.isEmpty())
          .map(text -> text + (deadlock ? " It does not break the deadlock." : leaves()))
          .map(Phrase::of)
          .ifPresent(lines::add);
    }
    return lines;
  }

  /**
   * Returns what free carriers do not change in a program that stands still: threads may wait for
   * something else than a carrier.
   */
  private String leaves() {
    if (findings.has(Gap.Kind.STALLED_AT_END)) {
      return " This frees the carriers; it does not end the waits of the possible stall.";
    }
    // The threads of a deadlock by pinning wait for carriers only.
    boolean byPins =
        !findings.ongoingHangs().isEmpty()
            && findings.ongoingHangs().stream()
                .allMatch(hang -> hang.seen().kind().is(DiagnosisKind.DEADLOCK_BY_PINNING));
    return HangWords.areLasting(findings) && !byPins
        ? " This frees the carriers; whether the threads that stand still then go on is unknown."
        : "";
  }

  /** Returns the entry whose change frees (nearly) everything. */
  private Optional<AdviceEntry> oneForAll(long total) {
    return advice.main().stream()
        .filter(entry -> !entry.needsLaterJava())
        .filter(entry -> !(entry.recommendation() instanceof Keep))
        .filter(entry -> entry.freed().nanos() >= NEARLY_ALL * total)
        .findFirst();
  }

  /** Returns an entry in short, as number 1 follows with all its words. */
  private String inShort(AdviceEntry entry) {
    int number = entries.number(entry);
    return isUpgrade(entry) && number > 1
        ? AdviceWords.toDo(entry.recommendation()) + " (" + number + ")"
        : "follow " + number;
  }

  private static boolean isUpgrade(AdviceEntry entry) {
    return entry.recommendation() instanceof UpgradeLibrary && entry.together().isEmpty();
  }

  private String laterJava(Since24 since24) {
    long total = findings.cost().totalNanos();
    if (since24.goneNanos() == 0) {
      return since24.unknownNanos() == total
          ? ""
          : findings.pins().stream().allMatch(pin -> pin.site().pinsSince24())
              ? "A later Java frees none of it: JEP 491 freed monitors only."
              : "A later Java frees none of it: JEP 491 frees monitors, and something else holds"
                  + " the carrier on each of these stacks, too.";
    }
    String gone = Figures.seconds(since24.goneNanos());
    StringBuilder sentence = new StringBuilder(JavaWords.LATER + " frees ");
    sentence.append(
        gone.equals(Figures.seconds(total))
            ? "all but " + Figures.duration(total - since24.goneNanos()) + " of it (JEP 491)"
            : gone + " of these " + Figures.seconds(total) + " carrier-seconds (JEP 491)");
    List<String> stay = new ArrayList<>();
    for (AdviceEntry entry : advice.main()) {
      if (entry.staysSince24() && entries.number(entry) <= Report.MOST) {
        stay.add(String.valueOf(entries.number(entry)));
      }
    }
    if (!stay.isEmpty()) {
      sentence
          .append(stay.size() == 1 ? "; entry " : "; entries ")
          .append(Words.list(stay))
          .append(stay.size() == 1 ? " stays" : " stay");
    } else if (since24.staysNanos() > 0 && !gone.equals(Figures.seconds(total))) {
      sentence.append("; ").append(Figures.seconds(since24.staysNanos())).append(" of them stay");
    }
    if (since24.unknownNanos() > 0) {
      sentence
          .append("; for ")
          .append(Figures.seconds(since24.unknownNanos()))
          .append(" carrier-seconds this is unknown");
    }
    return sentence.append('.').append(JavaWords.reason()).toString();
  }
}
