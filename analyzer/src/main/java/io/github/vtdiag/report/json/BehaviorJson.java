package io.github.vtdiag.report.json;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Observation.Amount;
import io.github.vtdiag.analysis.Observation.AtOnce;
import io.github.vtdiag.analysis.Observation.Detail;
import io.github.vtdiag.model.Frame;
import java.io.IOException;
import java.util.Optional;

/** What virtual threads wait for or use besides pins, for programs. */
final class BehaviorJson {
  private BehaviorJson() {}

  static void member(JsonDocument json, Findings findings) throws IOException {
    Identities identities = Identities.of(findings);
    json.out.writeArrayFieldStart("others");
    for (Behavior behavior : findings.behaviors()) {
      Observation seen = behavior.seen();
      json.out.writeStartObject();
      json.identity(identities.of(behavior));
      json.out.writeStringField("kind", behavior.kind().name());
      json.out.writeStringField("subject", seen.subject());
      json.out.writeBooleanField("limits", seen.limits());
      frame(json, "site", seen.site());
      frame(json, "inside", seen.inside());
      json.out.writeObjectFieldStart("owner");
      json.ownerFields(seen.owner());
      json.out.writeEndObject();
      amount(json, "cost", Optional.of(seen.amount()));
      json.out.writeNumberField("count", seen.count());
      json.out.writeFieldName("atOnce");
      if (seen.atOnce().isPresent()) {
        AtOnce atOnce = seen.atOnce().get();
        json.out.writeStartObject();
        json.out.writeNumberField("mean", atOnce.mean());
        json.out.writeNumberField("most", atOnce.most());
        if (atOnce.share() >= 0) {
          json.out.writeNumberField("share", atOnce.share());
        } else {
          json.out.writeNullField("share");
        }
        json.out.writeEndObject();
      } else {
        json.out.writeNull();
      }
      json.out.writeArrayFieldStart("details");
      for (Detail detail : seen.details()) {
        json.out.writeStartObject();
        json.out.writeStringField("name", detail.name());
        amount(json, "amount", detail.amount());
        json.textOrNull("text", detail.text());
        frame(json, "frame", detail.frame());
        json.out.writeEndObject();
      }
      json.out.writeEndArray();
      json.out.writeObjectFieldStart("evidence");
      json.texts("events", seen.evidence().events());
      json.out.writeNumberField("count", seen.evidence().count());
      if (seen.evidence().thresholdNanos().isPresent()) {
        json.out.writeNumberField("thresholdNanos", seen.evidence().thresholdNanos().getAsLong());
      } else {
        json.out.writeNullField("thresholdNanos");
      }
      json.out.writeEndObject();
      json.out.writeStringField("advice", behavior.advice());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
  }

  private static void amount(JsonDocument json, String name, Optional<Amount> amount)
      throws IOException {
    json.out.writeFieldName(name);
    if (amount.isEmpty()) {
      json.out.writeNull();
      return;
    }
    json.out.writeStartObject();
    json.out.writeStringField("unit", JsonDocument.name(amount.get().unit()));
    json.out.writeNumberField("value", amount.get().value());
    json.out.writeBooleanField("estimated", amount.get().estimated());
    json.out.writeEndObject();
  }

  private static void frame(JsonDocument json, String name, Optional<Frame> frame)
      throws IOException {
    json.out.writeFieldName(name);
    if (frame.isEmpty()) {
      json.out.writeNull();
      return;
    }
    json.out.writeStartObject();
    json.out.writeStringField("class", frame.get().type().name());
    json.out.writeStringField("method", frame.get().method());
    json.out.writeNumberField("line", frame.get().line());
    json.out.writeEndObject();
  }
}
