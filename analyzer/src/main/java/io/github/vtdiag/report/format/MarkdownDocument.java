package io.github.vtdiag.report.format;

import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.Document.Outcome;
import io.github.vtdiag.report.words.Phrase;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes reports in GitHub's Markdown, for pull requests and the summaries of build jobs. */
final class MarkdownDocument {
  /** Ends a line within a paragraph. */
  private static final String BREAK = "  \n";

  private MarkdownDocument() {}

  static String write(Document document) {
    return Stream.concat(
            Stream.of("## " + Markdown.text(document.title()) + "\n"),
            document.blocks().stream().map(MarkdownDocument::block))
        .collect(Collectors.joining("\n"));
  }

  private static String block(Block block) {
    return switch (block) {
      case Block.Subjects subjects -> lines(subjects.lines());
      case Block.Outcomes outcomes -> outcomes(outcomes);
      case Block.Sentences sentences -> lines(sentences.lines());
      case Block.Items items -> items(items);
      case Block.Table table -> table(table);
      case Block.Notes notes -> list(notes.lines());
      case Block.Commands commands -> "```sh\n" + Markdown.fenced(commands.commands()) + "```\n";
    };
  }

  private static String outcomes(Block.Outcomes of) {
    String outcomes =
        of.outcomes().stream()
            .map(MarkdownDocument::outcome)
            .collect(Collectors.joining(BREAK, "", "\n"));
    return of.lines().isEmpty() ? outcomes : outcomes + "\n" + list(of.lines());
  }

  private static String outcome(Outcome outcome) {
    String sign =
        switch (outcome.tone()) {
          case GOOD -> "✅ ";
          case BAD -> "❌ ";
          case WARNING -> "⚠️ ";
          case PLAIN, STRONG, FAINT, FIGURE, NAME -> "";
        };
    return sign + "**" + Markdown.text(outcome.word()) + "**: " + Markdown.text(outcome.clause());
  }

  /** Returns all items in a table, then each with its details. */
  private static String items(Block.Items of) {
    StringBuilder text = new StringBuilder();
    if (!of.columns().isEmpty()) {
      text.append(table(of)).append('\n');
    }
    for (int i = 0; i < of.items().size(); i++) {
      Item item = of.items().get(i);
      text.append(i == 0 ? "" : "\n");
      text.append("### ").append(i + 1).append(". ").append(phrase(item.title())).append("\n\n");
      item.toDo().ifPresent(toDo -> text.append("> ").append(phrase(toDo)).append("\n\n"));
      text.append(list(item.details()));
    }
    return text.toString();
  }

  private static String table(Block.Items of) {
    StringBuilder text = new StringBuilder("| | Where |");
    of.columns()
        .forEach(column -> text.append(' ').append(Markdown.text(column.name())).append(" |"));
    text.append("\n|---:|---|").append("---:|".repeat(of.columns().size())).append('\n');
    for (int i = 0; i < of.items().size(); i++) {
      Item item = of.items().get(i);
      text.append("| ").append(i + 1).append(" | ").append(cell(item.title()));
      item.figures().forEach(figure -> text.append(" | ").append(Markdown.text(figure)));
      text.append(" |".repeat(of.columns().size() - item.figures().size())).append(" |\n");
    }
    return text.toString();
  }

  private static String table(Block.Table of) {
    StringBuilder text = new StringBuilder();
    text.append(row(of.columns().stream().map(Document.Heading::name).toList()));
    of.columns().forEach(column -> text.append(column.flushRight() ? "|---:" : "|---"));
    text.append("|\n");
    for (Document.Section section : of.sections()) {
      if (!section.title().isEmpty()) {
        text.append("| ").append(Markdown.strong(section.title()));
        text.append(" |".repeat(of.columns().size())).append('\n');
      }
      section.rows().forEach(row -> text.append(row(row)));
    }
    return text.toString();
  }

  private static String row(List<String> cells) {
    return cells.stream()
        .map(cell -> Markdown.text(cell.strip()))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /**
   * Returns a table's cell. A bar ends a cell, even in code, and no escape in code is safe
   * everywhere.
   */
  private static String cell(Phrase phrase) {
    return phrase.text().contains("|") ? Markdown.text(phrase.text()) : phrase(phrase);
  }

  private static String lines(List<Phrase> lines) {
    return lines.stream()
        .map(MarkdownDocument::phrase)
        .collect(Collectors.joining(BREAK, "", "\n"));
  }

  private static String list(List<Phrase> lines) {
    return lines.stream().map(line -> "- " + phrase(line) + "\n").collect(Collectors.joining());
  }

  private static String phrase(Phrase phrase) {
    StringBuilder text = new StringBuilder();
    StringBuilder strong = new StringBuilder();
    for (Phrase.Part part : phrase.parts()) {
      switch (part.tone()) {
        case STRONG, GOOD, BAD, WARNING -> strong.append(part.text());
        case NAME -> text.append(taken(strong)).append(Markdown.code(part.text()));
        case PLAIN, FAINT, FIGURE -> text.append(taken(strong)).append(Markdown.text(part.text()));
      }
    }
    return Markdown.line(text.append(taken(strong)).toString());
  }

  private static String taken(StringBuilder strong) {
    String text = Markdown.strong(strong.toString());
    strong.setLength(0);
    return text;
  }
}
