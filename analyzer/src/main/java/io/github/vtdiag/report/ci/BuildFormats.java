package io.github.vtdiag.report.ci;

import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.format.Formats;
import java.util.List;
import java.util.Optional;

/** The formats that build servers read. */
public final class BuildFormats {
  /** All formats, in the order of the help text. */
  public static final List<BuildFormat> ALL =
      List.of(
          new JunitXml(),
          new Sarif(),
          new Annotations(),
          new Whole(
              "--summary",
              "Markdown for the summary of a job or a pull request.",
              Formats.MARKDOWN),
          new CodeQuality(),
          new Whole(
              "--json-file",
              "The verdict and all findings as JSON; docs/json-schema.md describes them.",
              Formats.JSON));

  private BuildFormats() {}

  /** A format of the reports, with everything in them. */
  private record Whole(String option, String description, io.github.vtdiag.report.Format format)
      implements BuildFormat {
    @Override
    public String write(BuildReport report) {
      return format.write(
          new Report.Judgement(report.findings(), report.verdict(), Optional.of(report.advice())),
          Style.PLAIN);
    }
  }
}
