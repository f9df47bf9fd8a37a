package vtdiag.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import vtdiag.compare.Comparison;
import vtdiag.compare.Comparison.Measure;
import vtdiag.report.ComparisonTable.Row;
import vtdiag.report.ComparisonTable.Section;

/** A comparison for a pull request. */
public final class ComparisonMarkdown {
  /** Ends a line within a paragraph. */
  private static final String BREAK = "  \n";

  private ComparisonMarkdown() {}

  public static String of(Comparison comparison) {
    StringBuilder text = new StringBuilder();
    for (Measure measure : comparison.measures()) {
      text.append("**").append(ComparisonWords.verdict(measure.verdict())).append("**: ");
      text.append(ComparisonWords.reason(comparison, measure)).append(BREAK);
    }
    ComparisonWords.overall(comparison).ifPresent(overall -> text.append(overall).append(BREAK));
    text.setLength(text.length() - BREAK.length());
    text.append("\n\nChange: ").append(code(comparison.plan().changes())).append(BREAK);
    text.append("Measured: ").append(ComparisonWords.how(comparison)).append("\n\n");
    text.append("| | before | after | after/before | 95% interval |\n");
    text.append("|---|---:|---:|---:|---|\n");
    for (Section section : ComparisonTable.sections(comparison)) {
      if (!section.title().isEmpty()) {
        text.append("| **").append(cell(section.title())).append("** | | | | |\n");
      }
      section.rows().forEach(row -> text.append(line(row)));
    }
    List<String> notes = ComparisonWords.notes(comparison);
    if (!notes.isEmpty()) {
      text.append('\n');
      notes.forEach(note -> text.append("- ").append(note.replace("\n", "\n  ")).append('\n'));
    }
    return text.toString();
  }

  private static String line(Row row) {
    return Stream.of(row.name().strip(), row.before(), row.after(), row.ratio(), row.interval())
        .map(ComparisonMarkdown::cell)
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static String code(List<String> changes) {
    return changes.stream()
        .map(change -> change.contains("`") ? change : "`" + change + "`")
        .collect(Collectors.joining(", "));
  }
}
