package io.github.vtdiag.report.json;

import io.github.vtdiag.baseline.Change;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.FindingChange;
import io.github.vtdiag.gate.Named;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.gate.Verdict.Allowed;
import io.github.vtdiag.gate.Verdict.Check;
import io.github.vtdiag.report.words.GateWords;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A gate's verdict for programs. */
final class GateJson {
  private final JsonDocument json;

  private GateJson(JsonDocument json) {
    this.json = json;
  }

  static void member(JsonDocument json, Verdict verdict) throws IOException {
    new GateJson(json).member(verdict);
  }

  private void member(Verdict verdict) throws IOException {
    json.out.writeObjectFieldStart("gate");
    switch (verdict) {
      case Verdict.Pass pass -> json.out.writeStringField("verdict", "PASS");
      case Verdict.Fail fail -> {
        json.out.writeStringField("verdict", "FAIL");
        json.texts("hangs", fail.hangs());
      }
      case Verdict.NoData noData -> {
        json.out.writeStringField("verdict", "NO_DATA");
        json.texts("reasons", noData.reasons());
      }
    }
    json.textOrNull("policy", verdict.basis().policy().file().orElse(""));
    checks(verdict.checks());
    allowances(verdict.basis().allowances());
    json.out.writeFieldName("baseline");
    baseline(verdict.basis());
    json.texts("ignored", verdict.basis().policy().ignored());
    json.texts("warnings", GateWords.warnings(verdict));
    json.out.writeEndObject();
  }

  private void checks(List<Check> checks) throws IOException {
    json.out.writeArrayFieldStart("checks");
    for (Check check : checks) {
      json.out.writeStartObject();
      json.out.writeStringField("name", check.measure().id());
      json.out.writeStringField("scope", check.scope().text());
      json.out.writeStringField("figure", check.figure());
      json.out.writeStringField("limit", check.limit());
      json.out.writeNumberField("measured", check.measured());
      json.out.writeNumberField("allowed", check.of().value());
      json.out.writeBooleanField("broken", check.broken());
      json.textOrNull("where", check.where().orElse(""));
      json.out.writeStringField("origin", check.of().origin());
      named(check.findings());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
  }

  private void named(List<Named> findings) throws IOException {
    json.texts("findings", findings.stream().map(named -> named.identity().text()).toList());
  }

  private void allowances(List<Allowed> allowances) throws IOException {
    json.out.writeArrayFieldStart("allowances");
    for (Allowed allowed : allowances) {
      json.out.writeStartObject();
      json.out.writeStringField("site", allowed.allowance().site());
      json.out.writeStringField("reason", allowed.allowance().reason());
      json.out.writeStringField("owner", allowed.allowance().owner());
      json.out.writeStringField("expires", allowed.allowance().expires().toString());
      json.out.writeBooleanField("expired", allowed.expired());
      json.out.writeStringField("origin", allowed.allowance().origin());
      named(allowed.findings());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
  }

  private void baseline(Verdict.Basis basis) throws IOException {
    Optional<Policy.Baseline> baseline = basis.policy().baseline();
    if (baseline.isEmpty() || basis.difference().isEmpty()) {
      json.out.writeNull();
      return;
    }
    Difference difference = basis.difference().get();
    json.out.writeStartObject();
    json.out.writeStringField("origin", baseline.get().origin());
    json.texts("obstacles", difference.obstacles());
    json.out.writeArrayFieldStart("broken");
    for (Change change : basis.broken()) {
      ChangeJson.write(json, change);
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("others");
    for (FindingChange change : basis.others()) {
      ChangeJson.write(json, change);
    }
    json.out.writeEndArray();
    json.out.writeBooleanField("othersFail", basis.othersFail());
    json.out.writeEndObject();
  }
}
