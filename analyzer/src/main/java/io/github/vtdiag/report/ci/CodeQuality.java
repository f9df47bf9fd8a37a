package io.github.vtdiag.report.ci;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.vtdiag.recording.RecordingFacts;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** GitLab's report on the quality of code, which it shows beside a merge request. */
final class CodeQuality implements BuildFormat {
  @Override
  public String option() {
    return "--code-quality";
  }

  @Override
  public String description() {
    return "A code quality report for GitLab.";
  }

  @Override
  public String write(BuildReport report) {
    // Of two with one fingerprint GitLab shows the first.
    Map<String, Remark> issues = new LinkedHashMap<>();
    for (Remark remark : Remarks.of(report).all()) {
      if (remark.level() != Remark.Level.WARNING) {
        issues.putIfAbsent(remark.identity().fingerprint(), remark);
      }
    }
    return BuildJson.of(
        json -> {
          json.writeStartArray();
          for (Remark remark : issues.values()) {
            write(json, remark, report);
          }
          json.writeEndArray();
        });
  }

  private static void write(JsonGenerator json, Remark remark, BuildReport report)
      throws IOException {
    Optional<SourceLocation> spot = SourceLocation.of(remark, report.sources());
    json.writeStartObject();
    json.writeStringField("description", SafeText.text(String.join(". ", remark.lines())));
    json.writeStringField("check_name", "vtdiag/" + remark.rule().id());
    json.writeStringField("fingerprint", remark.identity().fingerprint());
    json.writeStringField(
        "severity",
        switch (remark.level()) {
          case ERROR -> "critical";
          case NO_DATA -> "blocker";
          case WARNING -> "minor";
          case NOTE -> "info";
        });
    json.writeObjectFieldStart("location");
    // Each issue has to have a place: of what is in no file, that is the recording.
    json.writeStringField(
        "path", SafeText.name(spot.map(SourceLocation::path).orElseGet(() -> recording(report))));
    json.writeObjectFieldStart("lines");
    json.writeNumberField("begin", Math.max(1, spot.map(SourceLocation::line).orElse(1)));
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
  }

  private static String recording(BuildReport report) {
    return report.findings().recordings().stream()
        .map(RecordingFacts::source)
        .findFirst()
        .orElse("recording");
  }
}
