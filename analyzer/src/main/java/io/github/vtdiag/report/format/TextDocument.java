package io.github.vtdiag.report.format;

import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Column;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.Document.Outcome;
import io.github.vtdiag.report.words.Phrase;
import java.util.List;

/** Writes reports for terminals and build logs. */
final class TextDocument {
  private static final int DETAIL = 7;

  /** The widest title that is padded to align the figures in columns. */
  private static final int WIDEST_TITLE = 120;

  private TextDocument() {}

  static String write(Document document, Style style) {
    return new Writer(style).write(document);
  }

  /** Writes one document. */
  private static final class Writer {
    private final Style style;
    private final StringBuilder text = new StringBuilder();

    Writer(Style style) {
      this.style = style;
    }

    String write(Document document) {
      Block before = null;
      for (Block block : document.blocks()) {
        if (before != null && !(before instanceof Block.Notes && block instanceof Block.Commands)) {
          text.append('\n');
        }
        block(block);
        before = block;
      }
      return text.toString();
    }

    private void block(Block block) {
      switch (block) {
        case Block.Subjects subjects -> subjects.lines().forEach(line -> line(0, line));
        case Block.Outcomes outcomes -> outcomes(outcomes);
        case Block.Sentences sentences -> sentences.lines().forEach(line -> line(2, line));
        case Block.Items items -> items(items);
        case Block.Table table -> text.append(TextTable.of(table, style));
        case Block.Notes notes -> notes.lines().forEach(line -> line(2, line));
        case Block.Commands commands ->
            text.append(style.commands(commands.commands().stream().map(Printable::text).toList()));
      }
    }

    private void outcomes(Block.Outcomes of) {
      int width = of.outcomes().stream().mapToInt(v -> v.word().length()).max().orElse(0);
      for (Outcome outcome : of.outcomes()) {
        Phrase line =
            Phrase.of(outcome.tone(), outcome.word())
                .and(" ".repeat(width - outcome.word().length() + 2))
                .and(outcome.clause());
        line(0, line);
      }
      of.lines().forEach(line -> line(2, line));
    }

    private void items(Block.Items of) {
      int titles =
          of.items().stream()
              .filter(item -> !item.figures().isEmpty())
              .mapToInt(item -> words(item.title()).length())
              .filter(width -> width <= WIDEST_TITLE)
              .max()
              .orElse(0);
      int numbers = String.valueOf(of.items().size()).length();
      for (int i = 0; i < of.items().size(); i++) {
        if (i > 0) {
          text.append('\n');
        }
        Item item = of.items().get(i);
        String number = Integer.toString(i + 1);
        title(" ".repeat(numbers - number.length()) + number + "  ", item, of.columns(), titles);
        item.details().forEach(line -> line(DETAIL, line));
        item.toDo()
            .ifPresent(
                toDo -> text.append(style.line(DETAIL - 2, style.green("> ") + styled(toDo))));
      }
    }

    private void title(String head, Item item, List<Column> columns, int width) {
      String title = words(item.title());
      String figures = figures(item.figures(), columns);
      int missing = width - title.length();
      if (item.figures().isEmpty()) {
        line(2, Phrase.of(head).and(Phrase.Tone.STRONG, item.title().text()));
      } else if (missing < 0
          || (style.width() > 0 && 4 + head.length() + width + figures.length() > style.width())) {
        line(2, Phrase.of(head).and(Phrase.Tone.STRONG, item.title().text()));
        text.append(style.line(DETAIL, style.yellow(figures.strip().replaceAll(" {2,}", "  "))));
      } else {
        // Not wrapped, so that the columns stay aligned.
        text.append("  ").append(head).append(style.bold(title)).append(" ".repeat(missing));
        text.append("  ").append(style.yellow(figures)).append('\n');
      }
    }

    private static String figures(List<String> figures, List<Column> columns) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < figures.size(); i++) {
        String figure = Printable.text(figures.get(i));
        line.append(i == 0 ? "" : "  ");
        line.append(" ".repeat(Math.max(0, columns.get(i).width() - figure.length())));
        line.append(figure);
      }
      return line.toString();
    }

    private void line(int indent, Phrase phrase) {
      text.append(style.line(indent, styled(phrase)));
    }

    private String styled(Phrase phrase) {
      return style.styled(phrase, Writer::words);
    }

    private static String words(Phrase phrase) {
      return words(phrase.text());
    }

    /** Returns text that stays on its line, whatever is in it. */
    private static String words(String text) {
      return Printable.text(LongWords.shortened(text));
    }
  }
}
