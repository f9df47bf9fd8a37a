package io.github.vtdiag.mavenplugin;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.maven.plugin.MojoExecutionException;

/** A report that the check writes besides its verdict. */
enum ReportFormat {
  JUNIT("junit.xml"),
  SARIF("vtdiag.sarif"),
  SUMMARY("summary.md"),
  CODE_QUALITY("code-quality.json"),
  JSON("vtdiag.json"),
  HTML("report.html");

  private final String file;

  ReportFormat(String file) {
    this.file = file;
  }

  /** Returns the name that users give it. */
  private String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether it is the page of vtdiag report; the others are the gate's. */
  boolean isPage() {
    return this == HTML;
  }

  /** Returns the gate's option that names its file. */
  String option() {
    return this == JSON ? "--json-file" : "--" + text();
  }

  File in(File folder) {
    return new File(folder, file);
  }

  /** Returns the formats that a user asked for, each once. */
  static List<ReportFormat> named(List<String> names) throws MojoExecutionException {
    List<ReportFormat> formats = new ArrayList<>();
    if (names == null) {
      return formats;
    }
    for (String name : names) {
      ReportFormat format = named(name);
      if (!formats.contains(format)) {
        formats.add(format);
      }
    }
    return formats;
  }

  private static ReportFormat named(String name) throws MojoExecutionException {
    List<String> all = new ArrayList<>();
    for (ReportFormat format : values()) {
      if (format.text().equalsIgnoreCase(name.trim())) {
        return format;
      }
      all.add(format.text());
    }
    throw new MojoExecutionException(
        "there is no report '" + name + "'; <formats> takes " + String.join(", ", all));
  }
}
