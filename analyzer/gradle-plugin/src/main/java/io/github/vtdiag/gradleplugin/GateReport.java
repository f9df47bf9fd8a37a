package io.github.vtdiag.gradleplugin;

import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.gradle.api.GradleException;

/** A report that the gate's task writes besides the verdict. */
enum GateReport {
  JUNIT("junit.xml"),
  SARIF("vtdiag.sarif"),
  SUMMARY("summary.md"),
  CODE_QUALITY("code-quality.json"),
  JSON("vtdiag.json"),
  HTML("report.html");

  private final String file;

  GateReport(String file) {
    this.file = file;
  }

  /** Returns the name in build scripts. */
  private String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether it is the page of vtdiag report; the others are the gate's. */
  boolean isPage() {
    return this == HTML;
  }

  /** Returns the gate's option for its file. */
  String option() {
    return this == JSON ? "--json-file" : "--" + text();
  }

  File in(File folder) {
    return new File(folder, file);
  }

  /** Returns the reports of some names, each once. */
  static Set<GateReport> named(List<String> names) {
    Set<GateReport> reports = new LinkedHashSet<>();
    for (String name : names) {
      reports.add(named(name));
    }
    return reports;
  }

  private static GateReport named(String name) {
    List<String> all = new ArrayList<>();
    for (GateReport report : values()) {
      if (report.text().equalsIgnoreCase(name.trim())) {
        return report;
      }
      all.add(report.text());
    }
    throw new GradleException(
        "vtdiag: there is no report '" + name + "'; formats takes " + String.join(", ", all));
  }
}
