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
    Document.Verdict head =
        switch (verdict) {
          case Verdict.Pass pass -> {
            pass.checks().forEach(check -> lines.add(figure(check)));
            String limits = Figures.count(pass.checks().size(), "limit");
            String hold = pass.checks().size() == 1 ? " holds" : " hold";
            yield new Document.Verdict(GOOD, "PASS", limits + hold);
          }
          case Verdict.Fail fail -> {
            for (Check check : fail.violations()) {
              Phrase line = figure(check);
              lines.add(check.where().map(place -> line.and(": ").and(NAME, place)).orElse(line));
            }
            yield new Document.Verdict(
                BAD,
                "FAIL",
                Figures.count(fail.violations().size())
                    + " of "
                    + Figures.count(fail.checks().size(), "limit")
                    + " broken");
          }
          case Verdict.NoData noData -> {
            noData.reasons().forEach(reason -> lines.add(Phrase.of(reason)));
            yield new Document.Verdict(
                WARNING, "NO_DATA", "no limit is seen broken, but that is no proof");
          }
        };
    for (String warning : verdict.warnings()) {
      lines.add(Phrase.of(WARNING, "warning:").and(" " + warning));
    }
    return new Document(
        "Pinned virtual threads: gate", List.of(new Block.Verdicts(List.of(head), lines)));
  }

  private static Phrase figure(Check check) {
    return Phrase.of(check.name().text() + " " + check.figure() + ", limit " + check.limit());
  }
}
