package vtdiag.report;

import java.util.List;
import java.util.function.Function;
import vtdiag.measure.Comparison;
import vtdiag.report.ComparisonWords.Row;

/** A comparison for people: the verdict first, then the figures. */
public final class ComparisonText {
  private ComparisonText() {}

  public static String of(Comparison comparison, Style style) {
    StringBuilder text = new StringBuilder();
    String verdict = ComparisonWords.verdict(comparison);
    String shown =
        switch (comparison.verdict()) {
          case FASTER -> style.green(verdict);
          case SLOWER -> style.red(verdict);
          case NO_DIFFERENCE -> style.bold(verdict);
          case NOT_ENOUGH_EVIDENCE -> style.yellow(verdict);
        };
    text.append(style.line(0, shown + "  " + ComparisonWords.reason(comparison)));
    text.append(style.line(2, "change: " + String.join(" ", comparison.plan().changes())));
    text.append(style.line(2, ComparisonWords.how(comparison)));
    text.append('\n');
    List<Row> rows = ComparisonWords.rows(comparison);
    Row head = new Row("", "before", "after", "after/before", "95% interval");
    int name = width(rows, head, Row::name);
    int before = width(rows, head, Row::before);
    int after = width(rows, head, Row::after);
    int ratio = width(rows, head, Row::ratio);
    line(text, head, name, before, after, ratio);
    rows.forEach(row -> line(text, row, name, before, after, ratio));
    List<String> notes = ComparisonWords.notes(comparison);
    if (!notes.isEmpty()) {
      text.append('\n');
      notes.forEach(note -> text.append(style.line(2, note)));
    }
    return text.toString();
  }

  private static int width(List<Row> rows, Row head, Function<Row, String> cell) {
    return Math.max(
        cell.apply(head).length(),
        rows.stream().mapToInt(row -> cell.apply(row).length()).max().orElse(0));
  }

  private static void line(
      StringBuilder text, Row row, int name, int before, int after, int ratio) {
    text.append(
        ("  "
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
