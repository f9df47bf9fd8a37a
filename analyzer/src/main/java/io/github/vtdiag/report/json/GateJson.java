package io.github.vtdiag.report.json;

import io.github.vtdiag.gate.Named;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.gate.Verdict.Allowed;
import io.github.vtdiag.gate.Verdict.Check;
import io.github.vtdiag.report.words.GateWords;
import java.util.List;

/** Writes a gate verdict as JSON. */
final class GateJson {
  private GateJson() {}

  static void member(JsonObject json, Verdict verdict) {
    json.object("gate", gate -> members(gate, verdict));
  }

  private static void members(JsonObject json, Verdict verdict) {
    Verdict.Basis basis = verdict.basis();
    switch (verdict) {
      case Verdict.Pass pass -> json.put("verdict", "PASS");
      case Verdict.Fail fail -> json.put("verdict", "FAIL").texts("hangs", fail.hangs());
      case Verdict.NoData noData ->
          json.put("verdict", "NO_DATA").texts("reasons", noData.reasons());
    }
    json.put("policy", basis.policy().file())
        .array("checks", verdict.checks(), GateJson::check)
        .array("allowances", basis.allowances(), GateJson::allowance)
        .object(
            "baseline",
            basis.policy().baseline().filter(accepted -> basis.difference().isPresent()),
            (each, baseline) -> baseline(each, baseline, basis))
        .texts("ignored", basis.policy().ignored())
        .texts("warnings", GateWords.warnings(verdict));
  }

  private static void check(JsonObject json, Check check) {
    json.put("name", check.measure().id())
        .put("scope", check.scope().text())
        .put("figure", check.figure())
        .put("limit", check.limit())
        .put("measured", check.measured())
        .put("allowed", check.of().value())
        .put("broken", check.broken())
        .put("where", check.where())
        .put("origin", check.of().origin());
    named(json, check.findings());
  }

  private static void named(JsonObject json, List<Named> findings) {
    json.texts("findings", findings.stream().map(named -> named.identity().text()).toList());
  }

  private static void allowance(JsonObject json, Allowed allowed) {
    json.put("site", allowed.allowance().site())
        .put("reason", allowed.allowance().reason())
        .put("owner", allowed.allowance().owner())
        .put("expires", allowed.allowance().expires().toString())
        .put("expired", allowed.expired())
        .put("origin", allowed.allowance().origin());
    named(json, allowed.findings());
  }

  private static void baseline(JsonObject json, Policy.Baseline baseline, Verdict.Basis basis) {
    json.put("origin", baseline.origin())
        .texts("obstacles", basis.difference().orElseThrow().obstacles())
        .array("broken", basis.broken(), ChangeJson::write)
        .array("others", basis.others(), ChangeJson::write)
        .put("othersFail", basis.othersFail());
  }
}
