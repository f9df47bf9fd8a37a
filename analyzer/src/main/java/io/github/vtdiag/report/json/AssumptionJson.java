package io.github.vtdiag.report.json;

import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Assumptions.TrustedSite;

/** What was taken for granted, for programs. */
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
