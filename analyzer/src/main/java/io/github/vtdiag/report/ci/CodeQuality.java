package io.github.vtdiag.report.ci;

import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.report.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** GitLab's report on code quality, which it shows beside a merge request. */
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
    // Each fingerprint once: of several issues with the same one, GitLab shows only the first.
    Map<String, Annotation> issues = new LinkedHashMap<>();
    for (Annotation annotation : AnnotationList.of(report).all()) {
      if (annotation.level() != Annotation.Level.WARNING) {
        issues.putIfAbsent(annotation.identity().fingerprint(), annotation);
      }
    }
    return BuildJson.of(issues.values(), (json, annotation) -> write(json, annotation, report));
  }

  private static void write(JsonObject json, Annotation annotation, BuildReport report) {
    Optional<SourceLocation> spot = SourceLocation.of(annotation, report.sources());
    json.put("description", SafeText.text(String.join(". ", annotation.lines())))
        .put("check_name", "vtdiag/" + annotation.rule().id())
        .put("fingerprint", annotation.identity().fingerprint())
        .put(
            "severity",
            switch (annotation.level()) {
              case ERROR -> "critical";
              case NO_DATA -> "blocker";
              case WARNING -> "minor";
              case NOTE -> "info";
            })
        .object(
            "location",
            // Each issue must have a place: without a file, that is the recording.
            location ->
                location
                    .put(
                        "path",
                        SafeText.name(
                            spot.map(SourceLocation::path).orElseGet(() -> recording(report))))
                    .object(
                        "lines",
                        lines ->
                            lines.put(
                                "begin", Math.max(1, spot.map(SourceLocation::line).orElse(1)))));
  }

  private static String recording(BuildReport report) {
    return report.findings().recordings().stream()
        .map(RecordingFacts::source)
        .findFirst()
        .orElse("recording");
  }
}
