package io.github.vtdiag.report.format;

import io.github.vtdiag.report.Format;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Column;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.Document.Outcome;
import io.github.vtdiag.report.words.Phrase;
import java.util.List;

/**
 * Reports as a page for the browser: one file that needs nothing else. It has the words only; the
 * charts are on the page of {@code vtdiag report}.
 */
final class HtmlFormat implements Format {
  @Override
  public String name() {
    return "html";
  }

  @Override
  public String write(Report report, Style style) {
    return write(report.document());
  }

  static String write(Document document) {
    Html html = Html.page("vtdiag: " + document.title(), "");
    html.open("header").leaf("span", "vtdiag", "class", "brand").end();
    html.open("main").open("section", "id", "verdict");
    html.leaf("p", document.title(), "class", "faint");
    boolean headed = false;
    for (Block block : document.blocks()) {
      // What came out is the page's heading; all of a report that has none stands under its title.
      headed |= block(html, block, headed);
    }
    if (!headed) {
      html.leaf("h1", document.title(), "class", "unseen");
    }
    html.close().end();
    html.open("footer").text("One file that asks nobody for anything: send it to whom you like.");
    return html.end().close().end().written();
  }

  /** Writes it, and tells whether that was the page's heading. */
  private static boolean block(Html html, Block block, boolean headed) {
    switch (block) {
      case Block.Subjects subjects -> {
        html.open("p", "class", "subjects");
        subjects
            .lines()
            .forEach(line -> html.open("span", "class", "subject").phrase(line).close());
        html.end();
      }
      case Block.Outcomes outcomes -> {
        outcomes.outcomes().forEach(outcome -> outcome(html, outcome, headed));
        list(html, "headline", outcomes.lines());
        return !outcomes.outcomes().isEmpty();
      }
      case Block.Sentences sentences -> {
        if (headed || sentences.lines().isEmpty()) {
          list(html, "lines", sentences.lines());
          return false;
        }
        html.open("h1").phrase(sentences.lines().getFirst()).end();
        list(html, "headline", sentences.lines().subList(1, sentences.lines().size()));
        return true;
      }
      case Block.Items items -> items(html, items);
      case Block.Table table -> table(html, table);
      case Block.Notes notes -> list(html, "gaps", notes.lines());
      case Block.Commands commands -> {
        html.open("div", "class", "command");
        commands.commands().forEach(command -> html.open("p").leaf("code", command).close());
        html.end();
      }
    }
    return false;
  }

  private static void outcome(Html html, Outcome outcome, boolean headed) {
    html.open(headed ? "h2" : "h1");
    html.phrase(Phrase.of(outcome.tone(), outcome.word()).and(": " + outcome.clause()));
    html.end();
  }

  private static void items(Html html, Block.Items items) {
    for (int i = 0; i < items.items().size(); i++) {
      Item item = items.items().get(i);
      html.open("article", "class", "other").open("h2");
      html.text(i + 1 + ". ").phrase(item.title()).close();
      if (!item.figures().isEmpty()) {
        figures(html, items.columns(), item.figures());
      }
      list(html, "details", item.details());
      item.toDo().ifPresent(toDo -> html.open("p", "class", "todo").phrase(toDo).close());
      html.end();
    }
  }

  private static void figures(Html html, List<Column> columns, List<String> figures) {
    html.open("p", "class", "figures");
    for (int i = 0; i < figures.size(); i++) {
      String column = columns.get(i).name();
      html.leaf("b", figures.get(i)).leaf("span", column.isEmpty() ? "" : " " + column).text(" ");
    }
    html.end();
  }

  private static void table(Html html, Block.Table table) {
    html.open("div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", "Figures");
    html.open("table").open("thead").open("tr");
    table.columns().forEach(column -> html.leaf("th", column.name(), "scope", "col"));
    html.close().close();
    for (Document.Section section : table.sections()) {
      html.open("tbody");
      if (!section.title().isEmpty()) {
        html.open("tr");
        html.leaf("th", section.title(), "colspan", Integer.toString(table.columns().size()));
        html.close();
      }
      for (List<String> row : section.rows()) {
        html.open("tr");
        for (int i = 0; i < row.size(); i++) {
          String cell = row.get(i).strip();
          if (i == 0) {
            html.leaf("th", cell, "scope", "row");
          } else {
            html.leaf("td", cell);
          }
        }
        html.close();
      }
      html.close();
    }
    html.close().end();
  }

  private static void list(Html html, String style, List<Phrase> lines) {
    if (!lines.isEmpty()) {
      html.open("ul", "class", style);
      lines.forEach(line -> html.open("li").phrase(line).close());
      html.end();
    }
  }
}
