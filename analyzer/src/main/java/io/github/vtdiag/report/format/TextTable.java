package io.github.vtdiag.report.format;

import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Heading;
import io.github.vtdiag.report.words.Document.Section;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A table for terminals. No line is wrapped, so that the columns stay aligned. */
final class TextTable {
  private final Block.Table table;
  private final Style style;
  private final String indent;
  private final int[] widths;

  private TextTable(Block.Table table, Style style) {
    this.table = table;
    this.style = style;
    boolean titled = table.sections().stream().anyMatch(section -> !section.title().isEmpty());
    this.indent = titled ? "    " : "  ";
    this.widths =
        IntStream.range(0, table.columns().size())
            .map(column -> rows(table).mapToInt(row -> cell(row, column).length()).max().orElse(0))
            .toArray();
  }

  static String of(Block.Table table, Style style) {
    return new TextTable(table, style).text();
  }

  private static Stream<List<String>> rows(Block.Table table) {
    return Stream.concat(
        Stream.of(table.columns().stream().map(Heading::name).toList()),
        table.sections().stream().flatMap(section -> section.rows().stream()));
  }

  private static String cell(List<String> row, int column) {
    return Printable.text(LongWords.shortened(row.get(column)));
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    text.append(line(table.columns().stream().map(Heading::name).toList()));
    for (Section section : table.sections()) {
      if (!section.title().isEmpty()) {
        String title = Printable.text(LongWords.shortened(section.title()));
        text.append("  ").append(style.bold(title)).append('\n');
      }
      section.rows().forEach(row -> text.append(line(row)));
    }
    return text.toString();
  }

  private String line(List<String> row) {
    StringBuilder line = new StringBuilder(indent);
    for (int column = 0; column < widths.length; column++) {
      String cell = cell(row, column);
      String blanks = " ".repeat(widths[column] - cell.length());
      line.append(column == 0 ? "" : "  ");
      line.append(table.columns().get(column).flushRight() ? blanks + cell : cell + blanks);
    }
    return line.toString().stripTrailing() + "\n";
  }
}
