package io.github.vtdiag.report;

import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Conditions;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.FindingChange;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.WholeChange;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.words.ChangeWords;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.FindingChangeWords;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.report.words.Phrase.Tone;
import io.github.vtdiag.report.words.WholeWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The document with the changes from one run to another, the most important first. */
final class DiffDocument {
  private DiffDocument() {}

  static Document of(Difference difference, Detail detail) {
    List<Phrase> lines = new ArrayList<>();
    for (String obstacle : difference.obstacles()) {
      lines.add(Phrase.of(obstacle));
    }
    for (String starved : difference.starved()) {
      lines.add(Phrase.of(starved));
    }
    difference.whole().map(WholeWords::lines).ifPresent(lines::addAll);
    for (String untold : difference.untold()) {
      lines.add(Phrase.of(Tone.WARNING, "warning:").and(" not compared: " + untold));
    }
    for (String remark : difference.remarks()) {
      lines.add(Phrase.of(Tone.WARNING, "warning:").and(" another " + remark));
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Block.Subjects(
            List.of(run("before", difference.before()), run("after", difference.after()))));
    blocks.add(new Block.Outcomes(List.of(head(difference)), lines));
    List<Phrase> changes = new ArrayList<>();
    List<Phrase> others = new ArrayList<>();
    for (FindingChange change : difference.others()) {
      if (isTold(change.notable(), change.kind(), detail)) {
        Phrase line = FindingChangeWords.line(difference, change);
        others.add(change.notable() ? line : line.and(doubt(change)));
      }
    }
    for (Change change : difference.changes()) {
      if (change.dueToWork() || isTold(change.notable(), change.kind(), detail)) {
        Phrase line = ChangeWords.line(difference, change);
        changes.add(change.notable() ? line : line.and(" (may be chance)"));
      }
    }
    if (!changes.isEmpty()) {
      blocks.add(new Block.Sentences(changes));
    }
    if (!others.isEmpty()) {
      blocks.add(new Block.Sentences(others.stream().distinct().toList()));
    }
    return new Document("Virtual threads: what has changed", blocks);
  }

  private static boolean isTold(boolean notable, Change.Kind kind, Detail detail) {
    return switch (detail) {
      case BRIEF -> notable && kind != Change.Kind.SAME;
      case FULL -> true;
    };
  }

  private static String doubt(FindingChange change) {
    return change.seen().limits() ? " (may be chance)" : " (limits nothing)";
  }

  private static Document.Outcome head(Difference difference) {
    List<String> counts = new ArrayList<>();
    for (Change.Kind kind :
        List.of(Change.Kind.WORSE, Change.Kind.NEW, Change.Kind.BETTER, Change.Kind.GONE)) {
      int count = difference.notable(kind).size() + difference.notableOthers(kind).size();
      if (count > 0) {
        counts.add(Figures.count(count) + " " + kind.name().toLowerCase(Locale.ROOT));
      }
    }
    String found = counts.isEmpty() ? "nothing beyond chance" : String.join(", ", counts);
    if (!difference.isComparable()) {
      return new Document.Outcome(
          Tone.WARNING,
          "cannot be compared",
          "other causes than the program are possible (" + found + ")");
    }
    if (difference.hangs()) {
      return new Document.Outcome(Tone.BAD, "worse", "a hang is new (" + found + ")");
    }
    // If the run as a whole shows nothing, the findings do.
    String clause =
        difference.wholeVerdict() == WholeChange.Verdict.SAME
            ? found
            : WholeWords.clause(difference.whole().orElseThrow()) + " (" + found + ")";
    return switch (difference.verdict()) {
      case BETTER -> new Document.Outcome(Tone.GOOD, "better", clause);
      case WORSE -> new Document.Outcome(Tone.BAD, "worse", clause);
      case SAME -> new Document.Outcome(Tone.STRONG, "the same", clause);
      case MIXED ->
          new Document.Outcome(
              Tone.WARNING,
              "mixed",
              clause + "; the recordings do not tell whether there was less to do");
    };
  }

  private static Phrase run(String which, RunSummary run) {
    Conditions of = run.conditions();
    return Phrase.of(
        which
            + ": "
            + run.name()
            + ", Java "
            + (of.jdks().isEmpty()
                ? "unknown"
                : String.join(" and ", of.jdks().stream().map(String::valueOf).toList()))
            + ", "
            + Figures.duration(of.durationNanos())
            + (of.recordings() == 1 ? "" : " in " + Figures.count(of.recordings(), "recording"))
            + ", "
            + Figures.count(run.findings().size() + run.others().size(), "finding"));
  }
}
