package vtdiag.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import vtdiag.measure.Comparison;
import vtdiag.report.ComparisonWords.Row;

/** A comparison for a pull request. */
public final class ComparisonMarkdown {
  private ComparisonMarkdown() {}

  public static String of(Comparison comparison) {
    StringBuilder text = new StringBuilder();
    text.append("**").append(ComparisonWords.verdict(comparison)).append("**: ");
    text.append(ComparisonWords.reason(comparison)).append("\n\n");
    text.append("Change: ").append(code(comparison.plan().changes())).append("  \n");
    text.append("Measured: ").append(ComparisonWords.how(comparison)).append("\n\n");
    text.append("| | before | after | after/before | 95% interval |\n");
    text.append("|---|---:|---:|---:|---|\n");
    for (Row row : ComparisonWords.rows(comparison)) {
      text.append(
          Stream.of(row.name(), row.before(), row.after(), row.ratio(), row.interval())
              .collect(Collectors.joining(" | ", "| ", " |\n")));
    }
    List<String> notes = ComparisonWords.notes(comparison);
    if (!notes.isEmpty()) {
      text.append('\n');
      notes.forEach(note -> text.append("- ").append(note.replace("\n", "\n  ")).append('\n'));
    }
    return text.toString();
  }

  private static String code(List<String> changes) {
    return changes.stream()
        .map(change -> change.contains("`") ? change : "`" + change + "`")
        .collect(Collectors.joining(", "));
  }
}
