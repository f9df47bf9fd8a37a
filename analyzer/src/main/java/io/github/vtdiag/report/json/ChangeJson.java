package io.github.vtdiag.report.json;

import io.github.vtdiag.baseline.BaselineFinding;
import io.github.vtdiag.baseline.BaselinePin;
import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.FindingChange;
import java.util.Optional;
import java.util.OptionalDouble;

/** Writes a finding's change from one run to another as JSON. */
final class ChangeJson {
  private ChangeJson() {}

  static void write(JsonObject json, Change change) {
    JsonDocument.identity(json.put("kind", change.kind()), change.identity())
        .put("title", change.title())
        .put("notable", change.notable())
        .put("dueToWork", change.dueToWork())
        .texts("in", change.in().stream().map(Enum::name).toList())
        .object("before", change.before().map(BaselinePin::cost), JsonDocument::cost)
        .object("after", change.after().map(BaselinePin::cost), JsonDocument::cost);
  }

  /** Writes the change of a finding that is not a pin. */
  static void write(JsonObject json, FindingChange change) {
    BaselineFinding seen = change.seen();
    JsonDocument.identity(json.put("change", change.kind()), seen.identity())
        .put("kind", seen.kind().name())
        .put("subject", seen.subject())
        .putText("place", seen.place())
        .put("notable", change.notable())
        .put("limits", seen.limits())
        .put("unit", seen.unit())
        .put("before", figure(change.before()))
        .put("after", figure(change.after()));
  }

  private static OptionalDouble figure(Optional<BaselineFinding> seen) {
    return seen.stream().mapToDouble(BaselineFinding::figure).findFirst();
  }
}
