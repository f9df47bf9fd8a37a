package io.github.vtdiag.junit.inside;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.PinTable;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.recording.SeenWaits;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.RefusalReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The findings of some pins, and the advice on them, in the words of the reports. */
final class PinsFound {
  private final Findings findings;
  private final List<Pin> chosen;

  private PinsFound(Findings findings, List<Pin> chosen) {
    this.findings = findings;
    this.chosen = chosen;
  }

  static PinsFound of(List<PinEpisode> pins, OwnerNames owners, ClassesHere classes) {
    try {
      RecordingData data =
          new RecordingData(
              facts(),
              PinTable.of(pins),
              new EventTable(),
              SeenWaits.NONE,
              classes.of(pins),
              List.of());
      Findings findings = new Pipeline(List.of(), Optional.empty()).findings(List.of(data));
      return new PinsFound(findings, findings.pins().stream().filter(owners::has).toList());
    } catch (DataException e) {
      throw new IllegalStateException("cannot tell what held the carriers: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the facts of a run, which has no capacity of its own to compare with, and no limits of
   * what was recorded.
   */
  private static RecordingFacts facts() {
    return RecordingFacts.ofJava(
        "the tests", System.getProperty("java.vm.version"), Runtime.version().feature());
  }

  long count() {
    return chosen.stream().mapToLong(Pin::count).sum();
  }

  long longest() {
    return chosen.stream().mapToLong(Pin::longest).max().orElse(0);
  }

  /** Returns the costliest finding in one line. */
  String first() {
    Pin finding = chosen.getFirst();
    return Printable.text(
        finding.title()
            + finding
                .place()
                .filter(frame -> frame.line() >= 0)
                .map(frame -> " (" + Figures.position(frame.type(), frame.line()) + ")")
                .orElse(""));
  }

  /** Returns the findings with their monitors and the advice, a line each. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    Set<Pin> said = new HashSet<>();
    Advice advice =
        Advisor.advise(findings, KnownFixes.load(), site -> notAsked(List.of(site)), type -> false);
    for (AdviceEntry entry : advice.main()) {
      if (entry.findings().stream().anyMatch(chosen::contains)) {
        said.addAll(entry.findings());
        Advice one =
            new Advice(
                advice.advised(),
                List.of(entry),
                advice.all(),
                advice.withoutLaterJava(),
                advice.fixes());
        new Report.Analysis(findings, one, Detail.BRIEF, List.of())
            .document().blocks().stream()
                .filter(Block.Items.class::isInstance)
                .flatMap(block -> ((Block.Items) block).items().stream())
                .forEach(item -> add(item, lines));
      }
    }
    chosen.stream()
        .filter(finding -> !said.contains(finding))
        .forEach(
            finding -> {
              lines.add(
                  finding.title()
                      + "  "
                      + Figures.duration(finding.total())
                      + "  "
                      + Figures.count(finding.count(), "pin"));
              lines.add("  " + finding.cause().text());
            });
    return lines.stream().map(Printable::text).toList();
  }

  private static Decision notAsked(List<LockSite> sites) {
    return new Decision.Declined(
        RefusalReason.CLASS_UNKNOWN,
        "vtdiag advise reads all classes of the application, and tells",
        sites);
  }

  private static void add(Item item, List<String> lines) {
    lines.add(item.title().text() + "  " + String.join("  ", item.figures()));
    item.details().forEach(line -> lines.add("  " + line.text()));
    item.toDo().ifPresent(line -> lines.add("  > " + line.text()));
  }
}
