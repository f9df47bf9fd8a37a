package io.github.vtdiag.report.json;

import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Conditions;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.FindingChange;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import java.io.IOException;
import java.util.stream.Stream;

/** What has changed from one run to another, for programs. */
final class DiffJson {
  private DiffJson() {}

  static void members(JsonDocument json, Difference difference) throws IOException {
    run(json, "before", difference.before());
    run(json, "after", difference.after());
    json.out.writeBooleanField("comparable", difference.isComparable());
    json.texts(
        "obstacles",
        Stream.concat(difference.obstacles().stream(), difference.starved().stream()).toList());
    json.texts("untold", difference.untold());
    json.texts("remarks", difference.remarks());
    Tolerance tolerance = difference.tolerance();
    json.out.writeObjectFieldStart("tolerance");
    json.out.writeNumberField("factor", tolerance.factor());
    json.out.writeNumberField("longestNanos", tolerance.longestNanos());
    json.out.writeNumberField("medianNanos", tolerance.typicalNanos());
    json.out.writeNumberField("pins", tolerance.pins());
    json.out.writeNumberField("newNanos", tolerance.newNanos());
    json.out.writeEndObject();
    json.out.writeArrayFieldStart("changes");
    for (Change change : difference.changes()) {
      ChangeJson.write(json, change);
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("others");
    for (FindingChange change : difference.others()) {
      ChangeJson.write(json, change);
    }
    json.out.writeEndArray();
  }

  private static void run(JsonDocument json, String field, RunSummary run) throws IOException {
    Conditions of = run.conditions();
    json.out.writeObjectFieldStart(field);
    json.out.writeStringField("name", run.name());
    json.out.writeArrayFieldStart("java");
    for (int jdk : of.jdks()) {
      json.out.writeNumber(jdk);
    }
    json.out.writeEndArray();
    json.out.writeNumberField("recordings", of.recordings());
    json.out.writeNumberField("durationNanos", of.durationNanos());
    json.out.writeBooleanField("watched", of.watched());
    json.share("load", of.load());
    json.out.writeNumberField("findings", run.findings().size());
    json.out.writeNumberField("others", run.others().size());
    json.out.writeEndObject();
  }
}
