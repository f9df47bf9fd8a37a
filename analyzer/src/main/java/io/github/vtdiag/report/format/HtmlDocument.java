package io.github.vtdiag.report.format;

import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Column;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.Document.Outcome;
import io.github.vtdiag.report.words.Phrase;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes the parts of a document as HTML: for {@code --format html}, and for the page of {@code
 * vtdiag report} with its charts.
 */
public final class HtmlDocument {
  private final Html html;

  /** True once the page has its heading. */
  private boolean headed;

  public HtmlDocument(Html html) {
    this.html = html;
  }

  /** Returns a document as a page of its own: one file with the words and no script. */
  static String page(Document document) {
    Html html = Html.page("vtdiag: " + document.title(), "");
    html.open("header").leaf("span", "vtdiag", "class", "brand").end();
    html.open("main").open("section", "id", "verdict");
    html.leaf("p", document.title(), "class", "faint");
    HtmlDocument parts = new HtmlDocument(html);
    document.blocks().forEach(parts::block);
    if (!parts.headed) {
      html.leaf("h1", document.title(), "class", "unseen");
    }
    html.close().end();
    parts.footer("");
    return html.close().end().written();
  }

  private void block(Block block) {
    switch (block) {
      case Block.Subjects subjects -> subjects(subjects.lines());
      case Block.Outcomes outcomes -> {
        outcomes.outcomes().forEach(this::outcome);
        list("headline", outcomes.lines());
        headed |= !outcomes.outcomes().isEmpty();
      }
      case Block.Sentences sentences -> sentences(sentences.lines());
      case Block.Items items -> items(items);
      case Block.Table table -> table("Figures", table.columns(), table.sections());
      case Block.Notes notes -> list("gaps", notes.lines());
      case Block.Commands commands -> {
        html.open("div", "class", "command");
        commands.commands().forEach(command -> html.open("p").leaf("code", command).close());
        html.end();
      }
    }
  }

  /** Writes sentences; the first one of a page is its heading, and a strong one that of a part. */
  private void sentences(List<Phrase> lines) {
    if (lines.size() == 1 && isStrong(lines.getFirst())) {
      html.open("h2").phrase(lines.getFirst()).end();
      return;
    }
    if (headed || lines.isEmpty()) {
      list("lines", lines);
      return;
    }
    html.open("h1").phrase(lines.getFirst()).end();
    list("headline", lines.subList(1, lines.size()));
    headed = true;
  }

  private static boolean isStrong(Phrase line) {
    return !line.parts().isEmpty()
        && line.parts().stream().allMatch(part -> part.tone() == Phrase.Tone.STRONG);
  }

  private void outcome(Outcome outcome) {
    html.open(headed ? "h2" : "h1");
    html.phrase(Phrase.of(outcome.tone(), outcome.word()).and(": " + outcome.clause()));
    html.end();
  }

  private void items(Block.Items items) {
    int number = 1;
    for (Item item : items.items()) {
      item(number++, item, items.columns(), "h2");
    }
  }

  /**
   * Writes an item of a list.
   *
   * @param columns the columns of the figures that are shown; empty for none
   * @param heading the element of its title
   * @param attributes further attributes besides the class
   */
  public void item(
      int number, Item item, List<Column> columns, String heading, String... attributes) {
    html.open("article", both(new String[] {"class", "other"}, attributes)).open(heading);
    html.text(number + ". ").phrase(item.title()).close();
    if (!columns.isEmpty() && !item.figures().isEmpty()) {
      html.open("p", "class", "figures");
      for (int i = 0; i < columns.size(); i++) {
        String name = columns.get(i).name();
        html.leaf("b", item.figures().get(i));
        html.leaf("span", name.isEmpty() ? "" : " " + name).text(" ");
      }
      html.end();
    }
    list("details", item.details());
    toDo(item);
    html.end();
  }

  private static String[] both(String[] some, String[] more) {
    return Stream.of(some, more).flatMap(Stream::of).toArray(String[]::new);
  }

  /** Writes the figures of an item that need no names, the first one in bold. */
  public void figures(Item item) {
    html.open("p", "class", "figures");
    html.leaf("b", item.figures().getFirst(), "class", "figure");
    item.figures().stream().skip(1).forEach(each -> html.text(" ").leaf("span", each));
    html.close();
  }

  /** Writes what the page is about, one line a subject. */
  public void subjects(List<Phrase> lines) {
    html.open("p", "class", "subjects");
    lines.forEach(line -> html.open("span", "class", "subject").phrase(line).close());
    html.end();
  }

  /** Writes lines in a style of the page; nothing if there are none. */
  public void list(String style, List<Phrase> lines) {
    if (!lines.isEmpty()) {
      html.open("ul", "class", style);
      lines.forEach(line -> html.open("li").phrase(line).close());
      html.end();
    }
  }

  /** Writes what to do about it, unless its title says that. */
  public void toDo(Item item) {
    item.toDo().ifPresent(toDo -> html.open("p", "class", "todo").phrase(toDo).close());
  }

  /** Writes a table, whose first column has the rows' names. */
  public void table(String label, List<String> columns, List<List<String>> rows) {
    table(
        label,
        columns.stream().map(name -> new Document.Heading(name, true)).toList(),
        List.of(new Document.Section("", rows)));
  }

  private void table(
      String label, List<Document.Heading> columns, Collection<Document.Section> sections) {
    html.open("div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", label);
    html.open("table").open("thead").open("tr");
    columns.forEach(
        column ->
            html.leaf("th", column.name(), both(new String[] {"scope", "col"}, side(column))));
    html.close().close();
    for (Document.Section section : sections) {
      html.open("tbody");
      if (!section.title().isEmpty()) {
        html.open("tr");
        html.leaf("th", section.title(), "colspan", Integer.toString(columns.size()));
        html.close();
      }
      section.rows().forEach(row -> row(row, columns));
      html.close();
    }
    html.close().end();
  }

  private void row(List<String> cells, List<Document.Heading> columns) {
    html.open("tr").open("th", "scope", "row").broken(cells.getFirst().strip()).close();
    for (int i = 1; i < cells.size(); i++) {
      html.open("td", side(columns.get(i))).broken(cells.get(i).strip()).close();
    }
    html.close();
  }

  private static String[] side(Document.Heading column) {
    return column.flushRight() ? new String[0] : new String[] {"class", "words"};
  }

  /**
   * Ends a page.
   *
   * @param before the text before the fixed one
   */
  public void footer(String before) {
    html.open("footer").text(before);
    html.text("This file is self-contained: it loads nothing from the network.").end();
  }
}
