package io.github.vtdiag.report;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.report.words.BehaviorWords;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.EntryWords;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.report.words.Words;
import java.util.List;
import java.util.Optional;

/** The words of a full report one by one, for a page that sets them in its own way. */
public final class ReportParts {
  private final Findings findings;
  private final Advice advice;
  private final ReportEntries entries;
  private final FindingsDocument found;
  private final AdviceDocument advised;

  public ReportParts(Findings findings, Advice advice) {
    this.findings = findings;
    this.advice = advice;
    found = new FindingsDocument(findings, advice, Detail.FULL);
    entries = new ReportEntries(findings, advice);
    advised =
        new AdviceDocument(
            new Report.Recommendations(findings, advice, Detail.FULL, Optional.empty(), List.of()));
  }

  /** What limited the program, then how bad it is; the verdict first. */
  public List<Phrase> headline() {
    return new Headline(findings, advice, entries).lines();
  }

  /** A recording in one line. */
  public static Phrase recording(RecordingFacts facts) {
    return FindingsDocument.recording(facts);
  }

  /** What the carriers are at. */
  public static String use(Use use) {
    return use.text();
  }

  /** What held carriers, and the evidence. */
  public Item found(AdviceEntry entry) {
    return found.item(entry);
  }

  /** What to do about it, and why. */
  public Item advised(AdviceEntry entry) {
    return advised.item(entry);
  }

  /** The numbers of all entries. */
  public ReportEntries entries() {
    return entries;
  }

  /** What an entry is, in one line. */
  public Phrase title(ReportEntries.Entry entry) {
    return switch (entry) {
      case ReportEntries.Entry.Pins(AdviceEntry of) -> found(of).title();
      case ReportEntries.Entry.Other(Behavior of) -> behavior(of).title();
    };
  }

  /** A wait or a misuse. */
  public Item behavior(Behavior finding) {
    return BehaviorWords.item(finding);
  }

  /** What is short and harmless. */
  public List<Phrase> minor() {
    return EntryWords.minor(advice.minor(), Detail.FULL);
  }

  /** What a cause is, with its lines. */
  public static String cause(PinCause cause) {
    return Words.causeWithLines(cause);
  }
}
