package io.github.vtdiag.report.json;

import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Assumptions.TrustedSite;
import java.io.IOException;

/** What was taken for granted, for programs. */
final class AssumptionJson {
  private AssumptionJson() {}

  static void member(JsonDocument json, Assumptions assumed) throws IOException {
    json.out.writeObjectFieldStart("assumptions");
    json.out.writeStringField("clients", JsonDocument.name(assumed.clients()));
    json.texts("trustedSites", assumed.trustedSites().stream().map(TrustedSite::text).toList());
    json.texts("notShared", assumed.notShared().stream().sorted().toList());
    json.out.writeEndObject();
  }
}
