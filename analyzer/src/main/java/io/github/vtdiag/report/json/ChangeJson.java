package io.github.vtdiag.report.json;

import io.github.vtdiag.analysis.Cost;
import io.github.vtdiag.baseline.BaselineFinding;
import io.github.vtdiag.baseline.BaselinePin;
import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.FindingChange;
import java.io.IOException;
import java.util.Optional;

/** What became of a finding from one run to another, for programs. */
final class ChangeJson {
  private ChangeJson() {}

  static void write(JsonDocument json, Change change) throws IOException {
    json.out.writeStartObject();
    json.out.writeStringField("kind", JsonDocument.name(change.kind()));
    json.identity(change.identity());
    json.out.writeStringField("title", change.title());
    json.out.writeBooleanField("notable", change.notable());
    json.texts("in", change.in().stream().map(JsonDocument::name).toList());
    seen(json, "before", change.before());
    seen(json, "after", change.after());
    json.out.writeEndObject();
  }

  /** Of what is no pin. */
  static void write(JsonDocument json, FindingChange change) throws IOException {
    BaselineFinding seen = change.seen();
    json.out.writeStartObject();
    json.out.writeStringField("change", JsonDocument.name(change.kind()));
    json.identity(seen.identity());
    json.out.writeStringField("kind", seen.kind().name());
    json.out.writeStringField("subject", seen.subject());
    json.textOrNull("place", seen.place());
    json.out.writeBooleanField("notable", change.notable());
    json.out.writeBooleanField("limits", seen.limits());
    json.out.writeStringField("unit", JsonDocument.name(seen.unit()));
    figure(json, "before", change.before());
    figure(json, "after", change.after());
    json.out.writeEndObject();
  }

  private static void figure(JsonDocument json, String field, Optional<BaselineFinding> seen)
      throws IOException {
    json.out.writeFieldName(field);
    if (seen.isPresent()) {
      json.out.writeNumber(seen.get().figure());
    } else {
      json.out.writeNull();
    }
  }

  private static void seen(JsonDocument json, String field, Optional<BaselinePin> seen)
      throws IOException {
    json.out.writeFieldName(field);
    if (seen.isEmpty()) {
      json.out.writeNull();
      return;
    }
    Cost cost = seen.get().cost();
    json.out.writeStartObject();
    json.out.writeNumberField("count", cost.count());
    json.out.writeNumberField("totalNanos", cost.totalNanos());
    json.out.writeNumberField("longestNanos", cost.longestNanos());
    json.out.writeNumberField("p50Nanos", cost.p50Nanos());
    json.out.writeNumberField("p99Nanos", cost.p99Nanos());
    json.out.writeEndObject();
  }
}
