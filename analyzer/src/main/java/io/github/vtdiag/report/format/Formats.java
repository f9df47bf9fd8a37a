package io.github.vtdiag.report.format;

import io.github.vtdiag.report.Format;
import io.github.vtdiag.report.json.JsonFormat;
import java.util.List;
import java.util.Optional;

/** The available formats. */
public final class Formats {
  public static final Format TEXT = new DocumentFormat("text", TextDocument::write);
  public static final Format JSON = new JsonFormat();
  public static final Format MARKDOWN =
      new DocumentFormat("markdown", (document, style) -> MarkdownDocument.write(document));
  public static final Format HTML =
      new DocumentFormat("html", (document, style) -> HtmlDocument.page(document));

  /** All formats; the first is the default. */
  public static final List<Format> ALL = List.of(TEXT, JSON, MARKDOWN, HTML);

  private Formats() {}

  /** Returns {@code text, json, markdown or html}. */
  public static String names() {
    List<String> names = ALL.stream().map(Format::name).toList();
    return String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast();
  }

  public static Optional<Format> named(String name) {
    return ALL.stream().filter(format -> format.name().equals(name)).findFirst();
  }
}
