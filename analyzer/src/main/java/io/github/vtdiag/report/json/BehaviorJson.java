package io.github.vtdiag.report.json;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Observation.Amount;
import io.github.vtdiag.analysis.Observation.AtOnce;
import java.util.OptionalDouble;

/** Writes waits and misuse as JSON. */
final class BehaviorJson {
  private BehaviorJson() {}

  static void member(JsonObject json, Findings findings) {
    Identities identities = Identities.of(findings);
    json.array(
        "others",
        findings.behaviors(),
        (each, behavior) ->
            behavior(JsonDocument.identity(each, identities.of(behavior)), behavior));
  }

  private static void behavior(JsonObject json, Behavior behavior) {
    Observation seen = behavior.seen();
    json.put("kind", behavior.kind().name())
        .put("subject", seen.subject())
        .put("limits", seen.limits())
        .object("site", seen.site(), JsonDocument::line)
        .object("inside", seen.inside(), JsonDocument::line)
        .object("owner", owner -> JsonDocument.owner(owner, seen.owner()))
        .object("cost", cost -> amount(cost, seen.amount()))
        .put("count", seen.count())
        .object("atOnce", seen.atOnce(), BehaviorJson::atOnce)
        .array(
            "details",
            seen.details(),
            (each, detail) ->
                each.put("name", detail.name())
                    .object("amount", detail.amount(), BehaviorJson::amount)
                    .putText("text", detail.text())
                    .object("frame", detail.frame(), JsonDocument::line))
        .object(
            "evidence",
            evidence ->
                evidence
                    .texts("events", seen.evidence().events())
                    .put("count", seen.evidence().count())
                    .put("thresholdNanos", seen.evidence().thresholdNanos()))
        .put("advice", behavior.advice());
  }

  private static void atOnce(JsonObject json, AtOnce atOnce) {
    json.put("mean", atOnce.mean())
        .put("most", atOnce.most())
        .put(
            "share",
            atOnce.share() >= 0 ? OptionalDouble.of(atOnce.share()) : OptionalDouble.empty());
  }

  private static void amount(JsonObject json, Amount amount) {
    json.put("unit", amount.unit())
        .put("value", amount.value())
        .put("estimated", amount.estimated());
  }
}
