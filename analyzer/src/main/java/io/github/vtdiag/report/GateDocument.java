package io.github.vtdiag.report;

import static io.github.vtdiag.report.words.Phrase.Tone.BAD;
import static io.github.vtdiag.report.words.Phrase.Tone.GOOD;
import static io.github.vtdiag.report.words.Phrase.Tone.NAME;
import static io.github.vtdiag.report.words.Phrase.Tone.WARNING;

import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.FindingChange;
import io.github.vtdiag.gate.Measure;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.gate.Verdict.Basis;
import io.github.vtdiag.gate.Verdict.Check;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.words.Addresses;
import io.github.vtdiag.report.words.ChangeWords;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.FindingChangeWords;
import io.github.vtdiag.report.words.GateWords;
import io.github.vtdiag.report.words.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The document with a gate verdict: one line, then one for each figure. */
final class GateDocument {
  private GateDocument() {}

  /** Returns the verdict, with the findings if there is advice on them. */
  static Document of(Report.Judgement of) {
    Document verdict = of(of.verdict(), of.findings().longestWait(), of.detail());
    return of.advice()
        .map(
            advice ->
                new FindingsDocument(
                    of.findings(), advice, of.detail(), Optional.of(new Addresses(of.findings()))))
        .map(findings -> findings.document(List.of()).blocks())
        .map(
            found ->
                new Document(
                    verdict.title(),
                    Stream.concat(verdict.blocks().stream(), found.stream()).toList()))
        .orElse(verdict);
  }

  private static Document of(Verdict verdict, OptionalLong longestWait, Detail detail) {
    List<Phrase> lines = new ArrayList<>();
    Basis basis = verdict.basis();
    Document.Outcome head =
        switch (verdict) {
          case Verdict.Pass pass -> {
            pass.checks().forEach(check -> lines.add(Phrase.of(GateWords.figure(check))));
            if (longestWait.orElse(0) > 0
                && pass.checks().stream()
                    .noneMatch(of -> of.measure().about() == Measure.About.WAITS)) {
              lines.add(
                  Phrase.of(
                      "longest wait for another thread at the end "
                          + Figures.duration(longestWait.getAsLong())));
            }
            basis
                .policy()
                .baseline()
                .ifPresent(
                    base -> lines.add(Phrase.of("nothing new or worse than " + base.origin())));
            yield new Document.Outcome(
                GOOD,
                "PASS",
                pass.checks().isEmpty() ? "nothing to object to" : exceeded(0, pass.checks()));
          }
          case Verdict.Fail fail -> {
            fail.hangs().forEach(hang -> lines.add(Phrase.of(BAD, "hung").and(": " + hang)));
            basis.expired().forEach(expired -> lines.add(GateWords.expired(expired)));
            for (Check check : fail.violations()) {
              Phrase line = Phrase.of(GateWords.figure(check));
              lines.add(check.where().map(place -> line.and(": ").and(NAME, place)).orElse(line));
            }
            for (Change change : basis.broken()) {
              lines.add(ChangeWords.line(basis.difference().orElseThrow(), change));
            }
            if (basis.othersFail()) {
              for (FindingChange change : basis.others()) {
                lines.add(FindingChangeWords.line(basis.difference().orElseThrow(), change));
              }
            }
            yield new Document.Outcome(BAD, "FAIL", why(fail));
          }
          case Verdict.NoData noData -> {
            noData.reasons().forEach(reason -> lines.add(Phrase.of(reason)));
            yield new Document.Outcome(
                WARNING,
                "NO_DATA",
                "no limit was seen to be exceeded, but the data cannot rule it out");
          }
        };
    basis.policy().file().ifPresent(file -> lines.add(Phrase.of("policy: " + file)));
    for (String warning : GateWords.warnings(verdict)) {
      lines.add(Phrase.of(WARNING, "warning:").and(" " + warning));
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Outcomes(List.of(head), lines));
    switch (detail) {
      case BRIEF -> {}
      case FULL -> blocks.addAll(GateExplanation.of(verdict));
    }
    return new Document("Pinned virtual threads: gate", blocks);
  }

  private static String why(Verdict.Fail fail) {
    Basis basis = fail.basis();
    List<String> reasons =
        Stream.of(
                fail.hangs().isEmpty() ? "" : "the program hung",
                basis.expired().isEmpty()
                    ? ""
                    : Figures.count(basis.expired().size(), "allowance")
                        + (basis.expired().size() == 1 ? " has" : " have")
                        + " expired",
                fail.checks().isEmpty() ? "" : exceeded(fail.violations().size(), fail.checks()),
                basis.difference().map(difference -> changed(difference, basis)).orElse(""))
            .filter(reason -> !reason.isEmpty())
            .toList();
    return String.join("; ", reasons);
  }

  private static String changed(Difference difference, Basis basis) {
    List<Change.Kind> kinds =
        Stream.concat(
                basis.broken().stream().map(Change::kind),
                basis.others().stream().filter(of -> basis.othersFail()).map(FindingChange::kind))
            .toList();
    long fresh = kinds.stream().filter(kind -> kind == Change.Kind.NEW).count();
    return difference.obstacles().isEmpty()
        ? Figures.count(fresh, "finding")
            + " new and "
            + Figures.count(kinds.size() - fresh)
            + " worse than the baseline"
        : "the baseline cannot be compared";
  }

  private static String exceeded(int count, List<Check> checks) {
    return Figures.count(count) + " of " + Figures.count(checks.size(), "limit") + " exceeded";
  }
}
