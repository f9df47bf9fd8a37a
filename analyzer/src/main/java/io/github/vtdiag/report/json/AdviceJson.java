package io.github.vtdiag.report.json;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.advice.KnownFix;
import io.github.vtdiag.advice.Prediction;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.advice.Recommendation.Evidence;
import io.github.vtdiag.advice.Recommendation.Why;
import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.report.words.AdviceWords;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.upgrade.VersionCheck;
import java.util.Optional;

/** Writes advice as JSON. */
final class AdviceJson {
  private AdviceJson() {}

  /** Writes findings grouped by what to do: all of them, including minor ones. */
  static void entries(JsonObject json, Findings findings, Advice advice) {
    json.array("entries", advice.entries(), (each, entry) -> entry(each, entry, findings));
  }

  private static void entry(JsonObject json, AdviceEntry entry, Findings findings) {
    json.put("minor", entry.isMinor())
        .object("recommendation", each -> recommendation(each, entry.recommendation()))
        .array("together", entry.together(), AdviceJson::recommendation)
        .numbers("findings", entry.findings().stream().map(findings.pins()::indexOf).toList())
        .object(
            "cost",
            cost ->
                cost.put("count", entry.count())
                    .put("totalNanos", entry.total())
                    .put("longestNanos", entry.longest()))
        .object(
            "effect",
            effect -> {
              freed(effect, "freed", entry.freed());
              freed(effect, "ofFindings", entry.ofFindings());
              freed(effect, "alone", entry.aloneFreed());
            });
    JsonDocument.reachedFrom(json, entry.reachedFrom());
  }

  static void write(JsonObject json, Advised advised) {
    json.object("recommendation", each -> recommendation(each, advised.recommendation()))
        .put("reason", advised.reason())
        .array("together", advised.together(), AdviceJson::recommendation)
        .object(
            "effect",
            effect -> {
              freed(effect, "freed", advised.effect().freed());
              freed(effect, "ofFinding", advised.effect().ofFinding());
              freed(effect, "alone", advised.effect().aloneFreed());
              effect
                  .put("sharing", advised.effect().sharing())
                  .object("prediction", each -> prediction(each, advised.effect().prediction()));
            })
        .array(
            "alternatives",
            advised.alternatives(),
            (each, other) -> {
              each.object("recommendation", to -> recommendation(to, other.recommendation()));
              freed(each, "freed", other.freed());
            });
  }

  private static void prediction(JsonObject json, Prediction prediction) {
    switch (prediction) {
      case Prediction.Range range ->
          json.put("nowPerSecond", range.now())
              .put("leastPerSecond", range.least())
              .put("mostPerSecond", range.most())
              .put("assumption", range.assumption());
      case Prediction.None none -> json.put("notPredicted", none.why());
    }
  }

  private static void freed(JsonObject json, String name, Freed freed) {
    json.object(
        name, each -> each.put("nanos", freed.nanos()).put("unsureNanos", freed.unsureNanos()));
  }

  private static void recommendation(JsonObject json, Recommendation recommendation) {
    switch (recommendation) {
      case Recommendation.Rewrite rewrite ->
          json.put("kind", "REWRITE").array("locks", rewrite.locks(), JsonDocument::lock);
      case Recommendation.UpgradeLibrary upgrade -> upgrade(json, upgrade);
      case Recommendation.ChangePattern change ->
          json.put("kind", "CHANGE_PATTERN")
              .put("pattern", change.pattern().id())
              .put("place", change.place());
      case Recommendation.UpgradeJdk jdk -> json.put("kind", "UPGRADE_JDK");
      case Recommendation.Keep keep -> keep(json.put("kind", "KEEP"), keep.why());
    }
    json.put("text", AdviceWords.toDo(recommendation));
  }

  private static void upgrade(JsonObject json, Recommendation.UpgradeLibrary upgrade) {
    json.put("kind", "UPGRADE_LIBRARY")
        .put("library", upgrade.library())
        .put("from", upgrade.from())
        .put("to", upgrade.to());
    if (!upgrade.toLibrary().equals(upgrade.library())) {
      json.put("toLibrary", upgrade.toLibrary());
    }
    json.put("lastSeenToPin", AdviceWords.lastSeen(upgrade))
        .put("evidence", upgrade.evidence().text());
    switch (upgrade.evidence()) {
      case Evidence.Listed(KnownFix fix, Optional<VersionCheck> read) -> {
        json.put("evidenceFrom", "LIST");
        read.ifPresent(check -> json.object("read", each -> UpgradeJson.members(each, check)));
      }
      case Evidence.Read(VersionCheck check) ->
          json.put("evidenceFrom", "CLASSES")
              .object("read", each -> UpgradeJson.members(each, check));
    }
  }

  private static void keep(JsonObject json, Why why) {
    switch (why) {
      case Why.Harmless harmless -> json.put("why", "HARMLESS");
      case Why.Refused refused -> refused(json, "REFUSED", refused.declined());
      case Why.HeldTogether held -> {
        refused(json, "HELD_TOGETHER", held.declined());
        json.put("other", held.other().name());
      }
      case Why.NotExplained unknown -> json.put("why", "NOT_EXPLAINED");
    }
  }

  private static void refused(JsonObject json, String why, Decision.Declined declined) {
    JsonDocument.lockSites(json.put("why", why).put("rung", declined.rung()), declined.sites());
  }
}
