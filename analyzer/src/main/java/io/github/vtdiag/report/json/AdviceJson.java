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
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.report.words.AdviceWords;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.upgrade.VersionCheck;
import java.io.IOException;
import java.util.Optional;

/** Advice for programs. */
final class AdviceJson {
  private final JsonDocument json;

  private AdviceJson(JsonDocument json) {
    this.json = json;
  }

  static void write(JsonDocument json, Advised advised) throws IOException {
    new AdviceJson(json).advised(advised);
  }

  /** The same by what to do: all of them, the minor ones too. */
  static void entries(JsonDocument json, Findings findings, Advice advice) throws IOException {
    json.out.writeArrayFieldStart("entries");
    for (AdviceEntry entry : advice.entries()) {
      new AdviceJson(json).entry(entry, findings);
    }
    json.out.writeEndArray();
  }

  private void entry(AdviceEntry entry, Findings findings) throws IOException {
    json.out.writeStartObject();
    json.out.writeBooleanField("minor", entry.isMinor());
    json.out.writeFieldName("recommendation");
    recommendation(entry.recommendation());
    json.out.writeArrayFieldStart("together");
    for (Recommendation each : entry.together()) {
      recommendation(each);
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("findings");
    for (Pin finding : entry.findings()) {
      json.out.writeNumber(findings.pins().indexOf(finding));
    }
    json.out.writeEndArray();
    json.out.writeObjectFieldStart("cost");
    json.out.writeNumberField("count", entry.count());
    json.out.writeNumberField("totalNanos", entry.total());
    json.out.writeNumberField("longestNanos", entry.longest());
    json.out.writeEndObject();
    json.out.writeObjectFieldStart("effect");
    freed("freed", entry.freed());
    freed("ofFindings", entry.ofFindings());
    freed("alone", entry.aloneFreed());
    json.out.writeEndObject();
    json.reachedFrom(entry.reachedFrom());
    json.out.writeEndObject();
  }

  private void advised(Advised advised) throws IOException {
    json.out.writeStartObject();
    json.out.writeFieldName("recommendation");
    recommendation(advised.recommendation());
    json.out.writeStringField("reason", advised.reason());
    json.out.writeArrayFieldStart("together");
    for (Recommendation each : advised.together()) {
      recommendation(each);
    }
    json.out.writeEndArray();
    json.out.writeObjectFieldStart("effect");
    freed("freed", advised.effect().freed());
    freed("ofFinding", advised.effect().ofFinding());
    freed("alone", advised.effect().aloneFreed());
    json.out.writeStringField("sharing", JsonDocument.name(advised.effect().sharing()));
    json.out.writeObjectFieldStart("prediction");
    switch (advised.effect().prediction()) {
      case Prediction.Range range -> {
        json.out.writeNumberField("nowPerSecond", range.now());
        json.out.writeNumberField("leastPerSecond", range.least());
        json.out.writeNumberField("mostPerSecond", range.most());
        json.out.writeStringField("assumption", range.assumption());
      }
      case Prediction.None none -> json.out.writeStringField("notPredicted", none.why());
    }
    json.out.writeEndObject();
    json.out.writeEndObject();
    json.out.writeArrayFieldStart("alternatives");
    for (Advised.Alternative other : advised.alternatives()) {
      json.out.writeStartObject();
      json.out.writeFieldName("recommendation");
      recommendation(other.recommendation());
      freed("freed", other.freed());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    json.out.writeEndObject();
  }

  private void freed(String field, Freed freed) throws IOException {
    json.out.writeObjectFieldStart(field);
    json.out.writeNumberField("nanos", freed.nanos());
    json.out.writeNumberField("unsureNanos", freed.unsureNanos());
    json.out.writeEndObject();
  }

  private void recommendation(Recommendation recommendation) throws IOException {
    json.out.writeStartObject();
    switch (recommendation) {
      case Recommendation.Rewrite rewrite -> {
        json.out.writeStringField("kind", "REWRITE");
        json.out.writeArrayFieldStart("locks");
        for (Lock lock : rewrite.locks()) {
          json.lock(lock);
        }
        json.out.writeEndArray();
      }
      case Recommendation.UpgradeLibrary upgrade -> {
        json.out.writeStringField("kind", "UPGRADE_LIBRARY");
        json.out.writeStringField("library", upgrade.library());
        json.out.writeStringField("from", upgrade.from());
        json.out.writeStringField("to", upgrade.to());
        if (!upgrade.toLibrary().equals(upgrade.library())) {
          json.out.writeStringField("toLibrary", upgrade.toLibrary());
        }
        json.out.writeStringField("lastSeenToPin", AdviceWords.lastSeen(upgrade));
        json.out.writeStringField("evidence", upgrade.evidence().text());
        switch (upgrade.evidence()) {
          case Evidence.Listed(KnownFix fix, Optional<VersionCheck> read) -> {
            json.out.writeStringField("evidenceFrom", "LIST");
            if (read.isPresent()) {
              UpgradeJson.check(json, "read", read.get());
            }
          }
          case Evidence.Read(VersionCheck check) -> {
            json.out.writeStringField("evidenceFrom", "CLASSES");
            UpgradeJson.check(json, "read", check);
          }
        }
      }
      case Recommendation.ChangePattern change -> {
        json.out.writeStringField("kind", "CHANGE_PATTERN");
        json.out.writeStringField("pattern", change.pattern().id());
        json.out.writeStringField("place", change.place());
      }
      case Recommendation.UpgradeJdk jdk -> json.out.writeStringField("kind", "UPGRADE_JDK");
      case Recommendation.Keep keep -> {
        json.out.writeStringField("kind", "KEEP");
        switch (keep.why()) {
          case Why.Harmless harmless -> json.out.writeStringField("why", "HARMLESS");
          case Why.Refused refused -> refused("REFUSED", refused.declined());
          case Why.HeldTogether held -> {
            refused("HELD_TOGETHER", held.declined());
            json.out.writeStringField("other", held.other().name());
          }
          case Why.NotExplained unknown -> json.out.writeStringField("why", "NOT_EXPLAINED");
        }
      }
    }
    json.out.writeStringField("text", AdviceWords.toDo(recommendation));
    json.out.writeEndObject();
  }

  private void refused(String why, Decision.Declined declined) throws IOException {
    json.out.writeStringField("why", why);
    json.out.writeStringField("rung", JsonDocument.name(declined.rung()));
    json.lockSites(declined.sites());
  }
}
