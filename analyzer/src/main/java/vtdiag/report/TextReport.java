package vtdiag.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

/** Findings for people: the verdict first, then the evidence, then what is not known. */
public final class TextReport {
  private static final int DETAIL = 7;

  /** Who reads further down a screen wants JSON. */
  private static final int MOST = 20;

  private final Style style;
  private final Findings findings;
  private final Advice advice;
  private final StringBuilder text = new StringBuilder();

  private TextReport(Findings findings, Advice advice, Style style) {
    this.findings = findings;
    this.advice = advice;
    this.style = style;
  }

  /**
   * Writes the report.
   *
   * @param next commands that make sense now; may be empty
   */
  public static String of(Findings findings, Advice advice, Style style, List<String> next) {
    TextReport report = new TextReport(findings, advice, style);
    report.recordings();
    report.verdict();
    report.findings();
    findings.since24().ifPresent(since24 -> report.since24(since24, findings.cost()));
    report.gaps();
    if (!next.isEmpty()) {
      report.text.append(style.commands(next));
    }
    return report.text.toString();
  }

  private void recordings() {
    for (RecordingFacts facts : findings.recordings()) {
      line(0, recording(facts, style));
    }
    blank();
  }

  /** A recording in one line. */
  static String recording(RecordingFacts facts, Style style) {
    return style.bold(facts.source())
        + "  "
        + Figures.duration(facts.durationNanos())
        + " on "
        + java(facts)
        + carriers(facts.parallelism());
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

  private void verdict() {
    Cost cost = findings.cost();
    if (cost.count() == 0) {
      line(2, style.bold(noPins(findings)));
      blank();
      return;
    }
    if (findings.shareOfCapacity().isPresent() && findings.shareOfCapacity().getAsDouble() > 1) {
      // The scheduler adds carriers for threads in Object.wait.
      line(
          2,
          style.bold(
              "Carriers were blocked for "
                  + Figures.seconds(cost.totalNanos())
                  + " carrier-seconds, more than the "
                  + Figures.seconds(findings.capacity().get().nanos())
                  + " there were without the carriers added for Object.wait."));
    } else if (findings.shareOfCapacity().isPresent()) {
      line(
          2,
          style.bold("Carriers were blocked ")
              + style.red(Figures.percent(findings.shareOfCapacity().getAsDouble()))
              + style.bold(
                  " of the time: "
                      + Figures.seconds(cost.totalNanos())
                      + " of "
                      + Figures.seconds(findings.capacity().get().nanos())
                      + " carrier-seconds."));
    } else {
      line(
          2,
          style.bold(
              "Carriers were blocked for "
                  + Figures.seconds(cost.totalNanos())
                  + " carrier-seconds, of how many is not known."));
    }
    line(
        2,
        Figures.count(findings.threads(), "virtual thread")
            + (findings.threads() == 1 ? " was" : " were")
            + " pinned "
            + Figures.count(cost.count(), "time")
            + threshold(findings.recordings())
            + "."
            + waiting());
    blank();
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
      return "No verdict: no recording was running in the time from --from to --to.";
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
        : " (of " + Figures.duration(highest) + " or more; shorter ones were not recorded)";
  }

  private void findings() {
    List<Finding> shown = findings.findings().stream().limit(MOST).toList();
    int number = 0;
    int titleWidth = shown.stream().mapToInt(finding -> finding.title().length()).max().orElse(0);
    int numberWidth = String.valueOf(shown.size()).length();
    for (Finding finding : shown) {
      number++;
      String padded = " ".repeat(titleWidth - finding.title().length());
      String figures =
          String.format(
              Locale.ROOT,
              "%9s  %5s  %s",
              Figures.duration(finding.cost().totalNanos()),
              Figures.percent(finding.shareOfPinned()),
              Figures.count(finding.cost().count(), "pin"));
      String head = String.format(Locale.ROOT, "%" + numberWidth + "d  ", number);
      if (style.width() > 0 && 2 + head.length() + titleWidth + figures.length() > style.width()) {
        line(2, head + style.bold(finding.title()));
        line(DETAIL, style.yellow(figures.strip().replaceAll(" {2,}", "  ")));
      } else {
        // Not wrapped: the columns have to stay where they are.
        text.append("  ").append(head).append(style.bold(finding.title())).append(padded);
        text.append("  ").append(style.yellow(figures)).append('\n');
      }
      details(finding);
      blank();
    }
    List<Finding> rest = findings.findings().stream().skip(MOST).toList();
    if (!rest.isEmpty()) {
      String total = Figures.duration(rest.stream().mapToLong(Finding::total).sum());
      line(2, Figures.count(rest.size()) + " more, " + total + " together; --json has them all.");
      blank();
    }
  }

  private void details(Finding finding) {
    String cause =
        finding.caller().isPresent()
            ? Words.causeInside(finding.site(), finding.cause())
            : Words.cause(finding.cause());
    line(DETAIL, cause + operations(finding));
    line(DETAIL, owner(finding) + place(finding));
    line(
        DETAIL,
        "p50 "
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
                .collect(Collectors.joining()));
    for (Finding.AlsoHeld also : finding.alsoHeld()) {
      alsoHeld(finding, also);
    }
    if (!finding.alsoHeld().isEmpty()) {
      boolean everyPin =
          finding.alsoHeld().stream().allMatch(also -> also.count() == finding.count());
      String all = finding.alsoHeld().size() == 1 && everyPin ? "both" : "all on a stack";
      line(DETAIL, all + " must go, or the thread stays pinned");
    }
    finding.lockObjects().ifPresent(objects -> line(DETAIL, lockObjects(objects)));
    if (!finding.confidence().isEmpty()) {
      line(DETAIL, style.dim("known from: " + confidence(finding)));
    }
    line(DETAIL - 2, style.green("> ") + AdviceWords.summary(advice.of(finding), findings));
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

  private void alsoHeld(Finding finding, Finding.AlsoHeld also) {
    String often =
        also.count() == finding.count()
            ? "also held: "
            : "also held in " + Figures.count(also.count()) + " of them: ";
    String owner = also.owner().equals(finding.owner()) ? "" : "; " + Words.owner(also.owner());
    line(
        DETAIL,
        often + also.site().name() + " (" + Words.causeWithLines(also.cause()) + owner + ")");
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

  private void since24(Since24 since24, Cost cost) {
    if (cost.count() == 0) {
      return;
    }
    if (since24.goneNanos() == cost.totalNanos()) {
      line(2, "On Java 24+ (JEP 491) none of this would be pinned.");
      blank();
      return;
    }
    if (since24.staysNanos() == cost.totalNanos()) {
      line(2, "On Java 24+ all of this would still be pinned: JEP 491 freed monitors only.");
      blank();
      return;
    }
    StringBuilder sentence = new StringBuilder("On Java 24+ (JEP 491) ");
    sentence.append(Figures.seconds(since24.goneNanos()));
    sentence.append(" of these ").append(Figures.seconds(cost.totalNanos()));
    sentence.append(" carrier-seconds would not be pinned");
    if (since24.staysNanos() > 0) {
      sentence.append("; ").append(Figures.seconds(since24.staysNanos())).append(" would stay");
    }
    if (since24.unknownNanos() > 0) {
      sentence.append("; of ").append(Figures.seconds(since24.unknownNanos()));
      sentence.append(" it is not known");
    }
    line(2, sentence.append('.').toString());
    blank();
  }

  private void gaps() {
    boolean several = findings.recordings().size() > 1;
    List<String> unseen = new ArrayList<>();
    for (Gap gap : findings.gaps()) {
      String subject = several && !gap.recording().isEmpty() ? gap.recording() + ": " : "";
      switch (gap.kind()) {
        case DAMAGED, EVENTS_LOST, CLASS_PATH_PROBLEM ->
            line(2, style.yellow("Incomplete: ") + subject + gap.text() + ".");
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
      line(2, style.dim("Not in " + these + ": " + String.join("; ", unseen) + "."));
    }
  }

  private void line(int indent, String content) {
    text.append(style.line(indent, content));
  }

  private void blank() {
    text.append('\n');
  }
}
