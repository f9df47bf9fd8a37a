package vtdiag.report;

import java.util.List;
import java.util.function.Function;
import vtdiag.compare.Comparison;
import vtdiag.compare.Comparison.Measure;
import vtdiag.compare.SpeedVerdict;
import vtdiag.report.ComparisonTable.Row;
import vtdiag.report.ComparisonTable.Section;

/** A comparison for people: the verdicts first, then the figures. */
public final class ComparisonText {
  private static final Row HEAD = new Row("", "before", "after", "after/before", "95% interval");

  private final StringBuilder text = new StringBuilder();
  private final Style style;
  private final String indent;
  private final int name;
  private final int before;
  private final int after;
  private final int ratio;

  private ComparisonText(List<Section> sections, Style style) {
    this.style = style;
    indent = sections.stream().allMatch(section -> section.title().isEmpty()) ? "  " : "    ";
    List<Row> rows = sections.stream().flatMap(section -> section.rows().stream()).toList();
    name = width(rows, Row::name);
    before = width(rows, Row::before);
    after = width(rows, Row::after);
    ratio = width(rows, Row::ratio);
  }

  public static String of(Comparison comparison, Style style) {
    List<Section> sections = ComparisonTable.sections(comparison);
    ComparisonText report = new ComparisonText(sections, style);
    report.verdicts(comparison);
    report.line(2, "change: " + String.join(" ", comparison.plan().changes()));
    report.line(2, ComparisonWords.how(comparison));
    report.text.append('\n');
    report.row(HEAD);
    sections.forEach(report::section);
    List<String> notes = ComparisonWords.notes(comparison);
    if (!notes.isEmpty()) {
      report.text.append('\n');
      notes.forEach(note -> report.line(2, note));
    }
    return report.text.toString();
  }

  private void verdicts(Comparison comparison) {
    int longest =
        comparison.measures().stream()
            .mapToInt(measure -> ComparisonWords.verdict(measure.verdict()).length())
            .max()
            .orElse(0);
    for (Measure measure : comparison.measures()) {
      String verdict = ComparisonWords.verdict(measure.verdict());
      line(
          0,
          coloured(measure.verdict(), verdict)
              + " ".repeat(longest - verdict.length() + 2)
              + ComparisonWords.reason(comparison, measure));
    }
    ComparisonWords.overall(comparison).ifPresent(overall -> line(2, overall));
  }

  private String coloured(SpeedVerdict verdict, String words) {
    return switch (verdict) {
      case FASTER -> style.green(words);
      case SLOWER -> style.red(words);
      case NO_DIFFERENCE -> style.bold(words);
      case NOT_ENOUGH_EVIDENCE -> style.yellow(words);
    };
  }

  private void section(Section section) {
    if (!section.title().isEmpty()) {
      text.append("  ").append(style.bold(section.title())).append('\n');
    }
    section.rows().forEach(this::row);
  }

  private void line(int indent, String sentence) {
    text.append(style.line(indent, sentence));
  }

  private static int width(List<Row> rows, Function<Row, String> cell) {
    return Math.max(
        cell.apply(HEAD).length(),
        rows.stream().mapToInt(row -> cell.apply(row).length()).max().orElse(0));
  }

  private void row(Row row) {
    text.append(
        (indent
                + left(row.name(), name)
                + "  "
                + right(row.before(), before)
                + "  "
                + right(row.after(), after)
                + "  "
                + right(row.ratio(), ratio)
                + "  "
                + row.interval())
            .stripTrailing());
    text.append('\n');
  }

  private static String left(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  private static String right(String text, int width) {
    return " ".repeat(width - text.length()) + text;
  }
}
