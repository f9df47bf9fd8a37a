package io.github.vtdiag.report.format;

import io.github.vtdiag.report.Format;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.words.Document;
import java.util.function.BiFunction;

/**
 * A format for people: it has the words of a report.
 *
 * @param words writes a document
 */
public record DocumentFormat(String name, BiFunction<Document, Style, String> words)
    implements Format {
  @Override
  public String write(Report report, Style style) {
    return words.apply(report.document(), style);
  }
}
