package vtdiag.report;

import static vtdiag.report.Phrase.Tone.BAD;
import static vtdiag.report.Phrase.Tone.GOOD;
import static vtdiag.report.Phrase.Tone.NAME;
import static vtdiag.report.Phrase.Tone.WARNING;

import java.util.ArrayList;
import java.util.List;
import vtdiag.gate.Policy.Check;
import vtdiag.gate.Verdict;
import vtdiag.model.Figures;
import vtdiag.report.Document.Block;

/** A gate's verdict in words: one line, then one for each figure. */
final class GateDocument {
  private GateDocument() {}

  static Document of(Verdict verdict) {
    List<Phrase> lines = new ArrayList<>();
    Document.Outcome head =
        switch (verdict) {
          case Verdict.Pass pass -> {
            pass.checks().forEach(check -> lines.add(figure(check)));
            yield new Document.Outcome(GOOD, "PASS", exceeded(0, pass.checks()));
          }
          case Verdict.Fail fail -> {
            fail.hangs().forEach(hang -> lines.add(Phrase.of(BAD, "hung").and(": " + hang)));
            for (Check check : fail.violations()) {
              Phrase line = figure(check);
              lines.add(check.where().map(place -> line.and(": ").and(NAME, place)).orElse(line));
            }
            yield new Document.Outcome(
                BAD,
                "FAIL",
                (fail.hangs().isEmpty() ? "" : "the program hung; ")
                    + exceeded(fail.violations().size(), fail.checks()));
          }
          case Verdict.NoData noData -> {
            noData.reasons().forEach(reason -> lines.add(Phrase.of(reason)));
            yield new Document.Outcome(
                WARNING,
                "NO_DATA",
                "no limit was seen to be exceeded, but the data cannot rule it out");
          }
        };
    for (String warning : verdict.warnings()) {
      lines.add(Phrase.of(WARNING, "warning:").and(" " + warning));
    }
    return new Document(
        "Pinned virtual threads: gate", List.of(new Block.Outcomes(List.of(head), lines)));
  }

  private static String exceeded(int count, List<Check> checks) {
    return Figures.count(count) + " of " + Figures.count(checks.size(), "limit") + " exceeded";
  }

  private static Phrase figure(Check check) {
    String limit =
        switch (check.measure().bound()) {
          case AT_MOST -> ", limit ";
          case AT_LEAST -> ", at least ";
        };
    return Phrase.of(check.measure().text() + " " + check.figure() + limit + check.limit());
  }
}
