package io.github.vtdiag.report.format;

import io.github.vtdiag.report.Format;
import io.github.vtdiag.report.SampleDocument;
import io.github.vtdiag.report.Sampled;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.json.SampleJson;

/** The result of an experiment in the formats of reports. */
public final class SampleFormats {
  private SampleFormats() {}

  /** Returns all of it in one format. */
  public static String write(Sampled sampled, Format format, Style style) {
    return format instanceof DocumentFormat words
        ? words.words().apply(SampleDocument.of(sampled), style)
        : SampleJson.document(sampled);
  }
}
