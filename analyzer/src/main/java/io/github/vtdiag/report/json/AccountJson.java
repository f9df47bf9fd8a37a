package io.github.vtdiag.report.json;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.account.Account.Share;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.report.words.AccountWords;
import io.github.vtdiag.verdict.Conclusion;
import io.github.vtdiag.verdict.Conclusions;
import java.io.IOException;
import java.util.Set;

/** What limited the program, and where the carriers' time went, for programs. */
final class AccountJson {
  private AccountJson() {}

  static void members(JsonDocument json, Findings findings) throws IOException {
    Conclusion conclusion = Conclusions.of(findings);
    json.out.writeObjectFieldStart("verdict");
    json.out.writeStringField("kind", JsonDocument.name(conclusion.kind()));
    json.out.writeBooleanField("carriersWereTheLimit", conclusion.carriers());
    json.out.writeBooleanField("sure", conclusion.sure());
    json.out.writeStringField("text", AccountWords.verdict(conclusion, findings));
    missing(json, conclusion.why());
    json.out.writeEndObject();
    account(json, findings.account());
  }

  private static void account(JsonDocument json, Account account) throws IOException {
    json.out.writeObjectFieldStart("account");
    number(json, "capacityNanos", account.capacityNanos() > 0, account.capacityNanos());
    json.out.writeArrayFieldStart("shares");
    for (Use use : Use.values()) {
      Share share = account.share(use);
      json.out.writeStartObject();
      json.out.writeStringField("use", JsonDocument.name(use));
      json.out.writeNumberField("nanos", share.nanos());
      json.out.writeNumberField("errorNanos", share.errorNanos());
      json.out.writeBooleanField("atLeast", share.atLeast());
      json.texts("from", share.sources().stream().sorted().map(JsonDocument::name).toList());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("pinned");
    for (Account.Pinned pinned : account.pinned()) {
      json.out.writeStartObject();
      json.out.writeStringField("reason", JsonDocument.name(pinned.reason()));
      json.out.writeNumberField("nanos", pinned.nanos());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    json.out.writeFieldName("queue");
    if (account.queue().isPresent()) {
      Account.CarrierQueue line = account.queue().get();
      json.out.writeStartObject();
      json.out.writeNumberField("mean", line.mean());
      json.out.writeNumberField("most", line.most());
      json.out.writeNumberField("partOfTime", line.partOfTime());
      json.out.writeEndObject();
    } else {
      json.out.writeNull();
    }
    number(
        json,
        "processorNanos",
        account.processorNanos().isPresent(),
        account.processorNanos().orElse(0));
    missing(json, account.missing());
    json.out.writeEndObject();
  }

  private static void missing(JsonDocument json, Set<Missing> missing) throws IOException {
    json.texts("missing", missing.stream().sorted().map(JsonDocument::name).toList());
  }

  private static void number(JsonDocument json, String name, boolean known, long value)
      throws IOException {
    if (known) {
      json.out.writeNumberField(name, value);
    } else {
      json.out.writeNullField(name);
    }
  }
}
