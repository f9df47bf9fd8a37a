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
import io.github.vtdiag.report.words.NextSteps;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.report.words.Words;
import java.util.List;
import java.util.Optional;

/** The words of a full report one by one, for a page with its own layout. */
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
            new Report.Recommendations(
                findings, advice, Detail.FULL, Optional.empty(), NextSteps.NONE));
  }

  /** Returns what limited the program, then how bad it is; the verdict first. */
  public List<Phrase> headline() {
    return new Headline(findings, advice, entries).lines();
  }

  /** Returns a recording in one line. */
  public static Phrase recording(RecordingFacts facts) {
    return FindingsDocument.recording(facts);
  }

  /** Returns the name of a use of carriers. */
  public static String use(Use use) {
    return use.text();
  }

  /** Returns what held carriers, and the evidence. */
  public Item found(AdviceEntry entry) {
    return found.item(entry);
  }

  /** Returns what to do about it, and why. */
  public Item advised(AdviceEntry entry) {
    return advised.item(entry);
  }

  /** Returns all entries with their numbers. */
  public ReportEntries entries() {
    return entries;
  }

  /** Returns the title of an entry, in one line. */
  public Phrase title(ReportEntries.Entry entry) {
    return switch (entry) {
      case ReportEntries.Entry.Pins(AdviceEntry of) -> found(of).title();
      case ReportEntries.Entry.Other(Behavior of) -> behavior(of).title();
    };
  }

  /** Returns the item of a wait or a misuse. */
  public Item behavior(Behavior finding) {
    return BehaviorWords.item(finding);
  }

  /** Returns the lines on short and harmless pins. */
  public List<Phrase> minor() {
    return EntryWords.minor(advice.minor(), Detail.FULL);
  }

  /** Returns a cause in words, with its lines. */
  public static String cause(PinCause cause) {
    return Words.causeWithLines(cause);
  }
}
