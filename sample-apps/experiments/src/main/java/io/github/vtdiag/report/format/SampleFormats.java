package io.github.vtdiag.report.format;

import io.github.vtdiag.report.Format;
import io.github.vtdiag.report.SampleDocument;
import io.github.vtdiag.report.Sampled;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.json.SampleJson;
import io.github.vtdiag.report.words.Document;

/** The result of an experiment in the formats of reports. */
public final class SampleFormats {
  private SampleFormats() {}

  /** All of it in one format. */
  public static String write(Sampled sampled, Format format, Style style) {
    if (format.equals(Formats.JSON)) {
      return SampleJson.document(sampled);
    }
    Document document = SampleDocument.of(sampled);
    if (format.equals(Formats.MARKDOWN)) {
      return MarkdownFormat.write(document);
    }
    return format.equals(Formats.HTML)
        ? HtmlFormat.write(document)
        : TextFormat.write(document, style);
  }
}
