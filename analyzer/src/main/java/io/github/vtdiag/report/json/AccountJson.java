package io.github.vtdiag.report.json;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.account.Account.Share;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.report.words.AccountWords;
import io.github.vtdiag.verdict.Conclusion;
import io.github.vtdiag.verdict.Conclusions;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Writes the bottleneck and the account of the carriers' time as JSON. */
final class AccountJson {
  private AccountJson() {}

  static void members(JsonObject json, Findings findings) {
    Conclusion conclusion = Conclusions.of(findings);
    json.object(
        "verdict",
        verdict -> {
          verdict
              .put("kind", conclusion.kind())
              .put("carriersWereTheLimit", conclusion.carriers())
              .put("sure", conclusion.sure())
              .put("text", AccountWords.verdict(conclusion, findings));
          missing(verdict, conclusion.why());
        });
    json.object("account", account -> account(account, findings.account()));
  }

  private static void account(JsonObject json, Account account) {
    long capacity = account.capacityNanos();
    json.put("capacityNanos", capacity > 0 ? OptionalLong.of(capacity) : OptionalLong.empty())
        .array("shares", List.of(Use.values()), (each, use) -> share(each, use, account.share(use)))
        .array(
            "pinned",
            account.pinned(),
            (each, pinned) -> each.put("reason", pinned.reason()).put("nanos", pinned.nanos()))
        .object(
            "queue",
            account.queue(),
            (each, queue) ->
                each.put("mean", queue.mean())
                    .put("most", queue.most())
                    .put("partOfTime", queue.partOfTime()))
        .put("processorNanos", account.processorNanos());
    missing(json, account.missing());
  }

  private static void share(JsonObject json, Use use, Share share) {
    json.put("use", use)
        .put("nanos", share.nanos())
        .put("errorNanos", share.errorNanos())
        .put("atLeast", share.atLeast())
        .texts("from", share.sources().stream().sorted().map(Enum::name).toList());
  }

  private static void missing(JsonObject json, Set<Missing> missing) {
    json.texts("missing", missing.stream().sorted().map(Enum::name).toList());
  }
}
