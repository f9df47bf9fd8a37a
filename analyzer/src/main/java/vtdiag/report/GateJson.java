package vtdiag.report;

import java.io.IOException;
import java.util.List;
import vtdiag.gate.Policy.Check;
import vtdiag.gate.Verdict;

/** A gate's verdict for programs. */
final class GateJson {
  private GateJson() {}

  static void member(JsonDocument json, Verdict verdict) throws IOException {
    json.out.writeObjectFieldStart("gate");
    switch (verdict) {
      case Verdict.Pass pass -> {
        json.out.writeStringField("verdict", "PASS");
        checks(json, pass.checks());
      }
      case Verdict.Fail fail -> {
        json.out.writeStringField("verdict", "FAIL");
        json.texts("hangs", fail.hangs());
        checks(json, fail.checks());
      }
      case Verdict.NoData noData -> {
        json.out.writeStringField("verdict", "NO_DATA");
        json.texts("reasons", noData.reasons());
      }
    }
    json.texts("warnings", verdict.warnings());
    json.out.writeEndObject();
  }

  private static void checks(JsonDocument json, List<Check> checks) throws IOException {
    json.out.writeArrayFieldStart("checks");
    for (Check check : checks) {
      json.out.writeStartObject();
      json.out.writeStringField("name", check.measure().id());
      json.out.writeStringField("figure", check.figure());
      json.out.writeStringField("limit", check.limit());
      json.out.writeBooleanField("broken", check.broken());
      json.textOrNull("where", check.where().orElse(""));
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
  }
}
