package io.github.vtdiag.report.json;

import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Assumptions.TrustedSite;

/** Writes assumptions as JSON. */
final class AssumptionJson {
  private AssumptionJson() {}

  static void member(JsonObject json, Assumptions assumed) {
    json.object(
        "assumptions",
        each ->
            each.put("clients", assumed.clients())
                .texts(
                    "trustedSites", assumed.trustedSites().stream().map(TrustedSite::text).toList())
                .texts("notShared", assumed.notShared().stream().sorted().toList()));
  }
}
