package vtdiag.report;

import static vtdiag.report.Phrase.Tone.BAD;
import static vtdiag.report.Phrase.Tone.FAINT;
import static vtdiag.report.Phrase.Tone.NAME;
import static vtdiag.report.Phrase.Tone.STRONG;
import static vtdiag.report.Phrase.Tone.WARNING;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import vtdiag.advice.Advice;
import vtdiag.analysis.Cost;
import vtdiag.analysis.Finding;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Findings.Since24;
import vtdiag.analysis.Gap;
import vtdiag.analysis.LockObjects;
import vtdiag.model.Confidence;
import vtdiag.model.Figures;
import vtdiag.model.PinCause;
import vtdiag.pin.Events;
import vtdiag.recording.RecordingFacts;
import vtdiag.recording.RecordingFacts.EventSetting;
import vtdiag.report.Document.Block;
import vtdiag.report.Document.Column;
import vtdiag.report.Document.Item;

/** Findings in words: the verdict first, then the evidence, then what is not known. */
public final class FindingsDocument {
  /** Who reads further down a screen wants JSON. */
  public static final int MOST = 20;

  private static final List<Column> COLUMNS =
      List.of(new Column("Carrier time", 9), new Column("Share", 5), new Column("Pins", 0));

  private final Findings findings;
  private final Advice advice;
  private final List<Block> blocks = new ArrayList<>();

  private FindingsDocument(Findings findings, Advice advice) {
    this.findings = findings;
    this.advice = advice;
  }

  static Document of(Findings findings, Advice advice, List<String> next) {
    FindingsDocument document = new FindingsDocument(findings, advice);
    document.blocks.add(subjects(findings));
    document.blocks.add(new Block.Sentences(document.verdict()));
    document.items();
    document.since24();
    document.gaps();
    if (!next.isEmpty()) {
      document.blocks.add(new Block.Commands(next));
    }
    return new Document("Pinned virtual threads", document.blocks);
  }

  /** Each recording in one line. */
  static Block subjects(Findings findings) {
    return new Block.Subjects(
        findings.recordings().stream().map(FindingsDocument::recording).toList());
  }

  private static Phrase recording(RecordingFacts facts) {
    return Phrase.of(STRONG, facts.source())
        .and(
            "  "
                + Figures.duration(facts.durationNanos())
                + " on "
                + java(facts)
                + carriers(facts.parallelism()));
  }

  private static String java(RecordingFacts facts) {
    String version = facts.jdkVersion();
    int build = version.indexOf('+');
    return version.isEmpty()
        ? "an unknown Java"
        : "Java " + (build < 0 ? version : version.substring(0, build));
  }

  private static String carriers(OptionalInt parallelism) {
    return parallelism.isEmpty() ? "" : ", " + Figures.count(parallelism.getAsInt(), "carrier");
  }

  private List<Phrase> verdict() {
    Cost cost = findings.cost();
    if (cost.count() == 0) {
      return List.of(Phrase.of(STRONG, noPins(findings)));
    }
    return List.of(
        blocked(cost),
        Phrase.of(
            Figures.count(findings.threads(), "virtual thread")
                + (findings.threads() == 1 ? " was" : " were")
                + " pinned "
                + Figures.count(cost.count(), "time")
                + threshold(findings.recordings())
                + "."
                + waiting()));
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
    if (share > 1) {
      // The scheduler adds carriers for threads in Object.wait.
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
                + " carrier-seconds.");
  }

  private String waiting() {
    if (findings.recordings().size() != 1) {
      return "";
    }
    long threads = Math.round(findings.recordings().getFirst().waitingThreads().orElse(0));
    return threads == 0 ? "" : " On average " + Figures.count(threads) + " waited for a carrier.";
  }

  static String noPins(Findings findings) {
    if (findings.has(Gap.Kind.OUTSIDE_RANGE)) {
      return "No verdict: nothing was recorded between --from and --to.";
    }
    if (findings.has(Gap.Kind.PINNED_EVENT_OFF) || findings.has(Gap.Kind.PINNED_EVENT_UNKNOWN)) {
      return "No verdict: the recording could not have shown a pin.";
    }
    if (findings.has(Gap.Kind.DAMAGED) || findings.has(Gap.Kind.EVENTS_LOST)) {
      return "No pins in the part of the recording that can be read.";
    }
    return "No pins" + threshold(findings.recordings()) + ".";
  }

  private static String threshold(List<RecordingFacts> recordings) {
    long highest = 0;
    for (RecordingFacts facts : recordings) {
      EventSetting pinned = facts.settings().get(Events.PINNED);
      if (pinned != null) {
        highest = Math.max(highest, pinned.thresholdNanos());
      }
    }
    return highest == 0
        ? ""
        : " (of " + Figures.duration(highest) + " or more; shorter pins were not recorded)";
  }

  private void items() {
    List<Item> items = findings.findings().stream().limit(MOST).map(this::item).toList();
    if (!items.isEmpty()) {
      blocks.add(new Block.Items(COLUMNS, items));
    }
    List<Finding> rest = findings.findings().stream().skip(MOST).toList();
    if (!rest.isEmpty()) {
      String total = Figures.duration(rest.stream().mapToLong(Finding::total).sum());
      sentence(Figures.count(rest.size()) + " more, " + total + " together; --json has them all.");
    }
  }

  private Item item(Finding finding) {
    return new Item(
        Phrase.of(NAME, Words.title(finding)),
        List.of(
            Figures.duration(finding.total()),
            Figures.percent(finding.shareOfPinned()),
            Figures.count(finding.count(), "pin")),
        details(finding),
        Optional.of(Phrase.of(AdviceWords.summary(advice.of(finding), findings))));
  }

  private static List<Phrase> details(Finding finding) {
    List<Phrase> lines = new ArrayList<>();
    String cause =
        finding.caller().isPresent()
            ? Words.causeInside(finding.site(), finding.cause())
            : finding.cause().text();
    lines.add(Phrase.of(cause + operations(finding)));
    lines.add(Phrase.of(owner(finding) + place(finding)));
    lines.add(Phrase.of(cost(finding)));
    finding.alsoHeld().forEach(also -> lines.add(alsoHeld(finding, also)));
    if (!finding.alsoHeld().isEmpty()) {
      boolean everyPin =
          finding.alsoHeld().stream().allMatch(also -> also.count() == finding.count());
      String all = finding.alsoHeld().size() == 1 && everyPin ? "both" : "all on a stack";
      lines.add(Phrase.of(all + " must go, or the thread stays pinned"));
    }
    finding.lockObjects().ifPresent(objects -> lines.add(Phrase.of(lockObjects(objects))));
    if (!finding.confidence().isEmpty()) {
      lines.add(Phrase.of(FAINT, "known from: " + confidence(finding)));
    }
    return lines;
  }

  private static String cost(Finding finding) {
    return "p50 "
        + Figures.duration(finding.cost().p50Nanos())
        + "  p99 "
        + Figures.duration(finding.cost().p99Nanos())
        + "  max "
        + Figures.duration(finding.cost().longestNanos())
        + "  "
        + Figures.count(finding.threads(), "thread")
        + finding.shareOfCapacity().stream()
            .filter(share -> share <= 1)
            .mapToObj(share -> "  " + Figures.percent(share) + " of all carrier time")
            .collect(Collectors.joining());
  }

  private static String operations(Finding finding) {
    List<Finding.OperationCount> operations = finding.operations();
    if (finding.cause() instanceof PinCause.MonitorEntry
        || finding.cause() instanceof PinCause.ObjectWait) {
      // The cause is itself what the thread waited in.
      return "";
    }
    if (operations.size() == 1) {
      return "; waits in: " + operations.getFirst().operation().text();
    }
    return operations.stream()
        .map(each -> each.operation().text() + " " + Figures.count(each.count()))
        .collect(Collectors.joining(", ", "; waits in: ", ""));
  }

  private static String owner(Finding finding) {
    return finding
        .caller()
        .map(caller -> Words.owner(caller.owner()))
        .orElseGet(() -> Words.owner(finding.owner()));
  }

  private static String place(Finding finding) {
    return finding
        .place()
        .filter(frame -> frame.line() >= 0)
        .map(frame -> "; seen at " + Figures.position(frame.type(), frame.line()))
        .orElse("");
  }

  private static Phrase alsoHeld(Finding finding, Finding.AlsoHeld also) {
    String often =
        also.count() == finding.count()
            ? "also held: "
            : "also held in " + Figures.count(also.count(), "pin") + ": ";
    String owner = also.owner().equals(finding.owner()) ? "" : "; " + Words.owner(also.owner());
    return Phrase.of(often)
        .and(NAME, also.site().name())
        .and(" (" + Words.causeWithLines(also.cause()) + owner + ")");
  }

  private static String lockObjects(LockObjects seen) {
    String sampled = " in " + Figures.count(seen.samples(), "sampled pin");
    String objects = Figures.count(seen.objects(), "lock object") + sampled;
    if (!seen.shared()) {
      return seen.threads() == 1
          ? objects + ", all of one thread"
          : objects + ", none seen with more than one thread";
    }
    return objects
        + (seen.objects() == 1 ? ", seen with " : ", the busiest seen with ")
        + Figures.count(seen.threadsOfBusiest(), "thread");
  }

  private static String confidence(Finding finding) {
    List<String> parts = new ArrayList<>();
    for (Confidence confidence : Confidence.values()) {
      Long count = finding.confidence().get(confidence);
      if (count != null) {
        parts.add(
            finding.confidence().size() == 1
                ? confidence.text()
                : confidence.text() + " " + Figures.count(count));
      }
    }
    return String.join(", ", parts);
  }

  private void since24() {
    if (findings.since24().isEmpty() || findings.cost().count() == 0) {
      return;
    }
    Since24 since24 = findings.since24().get();
    long total = findings.cost().totalNanos();
    if (since24.goneNanos() == total) {
      sentence("On Java 24+ (JEP 491) none of this would be pinned.");
      return;
    }
    if (since24.staysNanos() == total) {
      sentence("On Java 24+ all of this would still be pinned: JEP 491 freed monitors only.");
      return;
    }
    StringBuilder sentence = new StringBuilder("On Java 24+ (JEP 491) ");
    sentence.append(Figures.seconds(since24.goneNanos()));
    sentence.append(" of these ").append(Figures.seconds(total));
    sentence.append(" carrier-seconds would not be pinned");
    if (since24.staysNanos() > 0) {
      sentence.append("; ").append(Figures.seconds(since24.staysNanos())).append(" would stay");
    }
    if (since24.unknownNanos() > 0) {
      sentence.append("; for ").append(Figures.seconds(since24.unknownNanos()));
      sentence.append(" it is not known");
    }
    sentence(sentence.append('.').toString());
  }

  private void gaps() {
    boolean several = findings.recordings().size() > 1;
    List<Phrase> notes = new ArrayList<>();
    List<String> unseen = new ArrayList<>();
    for (Gap gap : findings.gaps()) {
      String subject = several && !gap.recording().isEmpty() ? gap.recording() + ": " : "";
      switch (gap.kind()) {
        case DAMAGED, EVENTS_LOST, CLASS_PATH_PROBLEM ->
            notes.add(Phrase.of(WARNING, "Incomplete: ").and(subject + gap.text() + "."));
        case PINNED_EVENT_OFF,
            PINNED_EVENT_UNKNOWN,
            SHORT_PINS_HIDDEN,
            SHORT_MONITOR_EVENTS_HIDDEN,
            MONITOR_EVENT_OFF,
            NO_STACKS,
            STACKS_TRUNCATED,
            MONITORS_DO_NOT_PIN,
            CLASSES_UNREAD,
            JDK_CLASSES_UNREAD,
            CLASSES_UNFIT,
            NO_AGENT,
            WHAT_IF,
            CAPACITY_UNKNOWN,
            JDK_UNKNOWN,
            OUTSIDE_RANGE ->
            unseen.add(subject + gap.text());
      }
    }
    if (!unseen.isEmpty()) {
      String these = several ? "these recordings" : "this recording";
      notes.add(Phrase.of(FAINT, "Not in " + these + ": " + String.join("; ", unseen) + "."));
    }
    if (!notes.isEmpty()) {
      blocks.add(new Block.Notes(notes));
    }
  }

  private void sentence(String text) {
    blocks.add(new Block.Sentences(List.of(Phrase.of(text))));
  }
}
