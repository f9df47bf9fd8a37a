package io.github.vtdiag.report.json;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.analysis.Cost;
import io.github.vtdiag.analysis.Ending;
import io.github.vtdiag.analysis.Finding.Hang;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Findings.Since24;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.analysis.LockObjects;
import io.github.vtdiag.analysis.Overlap;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.program.Owner;
import io.github.vtdiag.recording.RecordingFacts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Findings for programs. */
final class FindingsJson {
  private final JsonDocument json;
  private final Advice advice;

  private FindingsJson(JsonDocument json, Advice advice) {
    this.json = json;
    this.advice = advice;
  }

  /** All that there is to tell, each finding with its advice. */
  static void members(JsonDocument json, Findings findings, Advice advice) throws IOException {
    new FindingsJson(json, advice).members(findings);
  }

  private void members(Findings findings) throws IOException {
    AccountJson.members(json, findings);
    json.out.writeArrayFieldStart("recordings");
    for (RecordingFacts facts : findings.recordings()) {
      recording(facts);
    }
    json.out.writeEndArray();
    json.out.writeObjectFieldStart("total");
    cost(findings.cost());
    json.out.writeNumberField("unended", findings.unended());
    json.out.writeNumberField("threads", findings.threads());
    if (findings.capacity().isPresent()) {
      json.out.writeNumberField("capacityNanos", findings.capacity().get().nanos());
    } else {
      json.out.writeNullField("capacityNanos");
    }
    json.share("shareOfCapacity", findings.shareOfCapacity());
    json.share("pinnedWhenShort", findings.pinnedWhenShort());
    json.out.writeEndObject();
    json.out.writeFieldName("since24");
    if (findings.since24().isPresent()) {
      since24(findings.since24().get());
    } else {
      json.out.writeNull();
    }
    json.out.writeArrayFieldStart("findings");
    Identities identities = Identities.of(findings);
    for (Pin finding : findings.pins()) {
      finding(finding, identities.of(finding));
    }
    json.out.writeEndArray();
    AdviceJson.entries(json, findings, advice);
    BehaviorJson.member(json, findings);
    json.out.writeArrayFieldStart("endings");
    for (Ending ending : findings.endings()) {
      json.out.writeStartObject();
      json.out.writeStringField("recording", ending.recording());
      json.out.writeNumberField("carriers", ending.carriers());
      json.out.writeNumberField("keptNanos", ending.nanos());
      json.out.writeNumberField("queued", ending.queued());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("limits");
    for (Gap gap : findings.gaps()) {
      json.out.writeStartObject();
      json.out.writeStringField("kind", JsonDocument.name(gap.kind()));
      json.textOrNull("recording", gap.recording());
      json.out.writeStringField("text", gap.text());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
  }

  private void recording(RecordingFacts facts) throws IOException {
    json.out.writeStartObject();
    json.out.writeStringField("source", facts.source());
    json.textOrNull("jdkVersion", facts.jdkVersion());
    json.out.writeNumberField("startNanos", facts.startNanos());
    json.out.writeNumberField("durationNanos", facts.durationNanos());
    if (facts.parallelism().isPresent()) {
      json.out.writeNumberField("parallelism", facts.parallelism().getAsInt());
    } else {
      json.out.writeNullField("parallelism");
    }
    if (facts.waitingThreads().isPresent()) {
      json.out.writeNumberField("waitingThreads", facts.waitingThreads().getAsDouble());
    } else {
      json.out.writeNullField("waitingThreads");
    }
    json.out.writeFieldName("watch");
    if (facts.watched().isPresent()) {
      json.out.writeStartObject();
      json.out.writeNumberField("thresholdNanos", facts.watched().get().thresholdNanos());
      json.out.writeNumberField("nativeThresholdNanos", facts.watched().get().nativeNanos());
      json.out.writeNumberField("blindNanos", facts.watched().get().blindNanos());
      json.out.writeEndObject();
    } else {
      json.out.writeNull();
    }
    json.out.writeArrayFieldStart("hangs");
    for (RecordingFacts.Hang seen : facts.hangs()) {
      hang(new Hang(facts.source(), seen));
    }
    json.out.writeEndArray();
    json.out.writeStringField("end", JsonDocument.name(facts.end()));
    json.textOrNull("agentVersion", facts.agent().map(RecordingFacts.Agent::version).orElse(""));
    json.out.writeEndObject();
  }

  private void hang(Hang finding) throws IOException {
    RecordingFacts.Hang hang = finding.seen();
    json.out.writeStartObject();
    json.out.writeStringField("kind", hang.kind().wireName());
    json.out.writeNumberField("atNanos", hang.atNanos());
    json.out.writeBooleanField("deadlock", hang.deadlock());
    json.out.writeBooleanField("ended", hang.ended());
    json.texts("words", hang.words());
    json.out.writeArrayFieldStart("findings");
    for (Map.Entry<Identity, List<HangPlace>> each : Identities.of(finding).entrySet()) {
      json.out.writeStartObject();
      json.identity(each.getKey());
      json.out.writeArrayFieldStart("places");
      for (HangPlace place : each.getValue()) {
        json.out.writeStartObject();
        json.out.writeStringField("method", place.method());
        json.textOrNull("caller", place.caller());
        json.textOrNull("lock", place.lock());
        json.textOrNull("holder", place.holder());
        json.out.writeEndObject();
      }
      json.out.writeEndArray();
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    json.out.writeEndObject();
  }

  private void since24(Since24 since24) throws IOException {
    json.out.writeStartObject();
    json.out.writeNumberField("goneNanos", since24.goneNanos());
    json.out.writeNumberField("staysNanos", since24.staysNanos());
    json.out.writeNumberField("unknownNanos", since24.unknownNanos());
    json.out.writeEndObject();
  }

  private void finding(Pin finding, Identity identity) throws IOException {
    json.out.writeStartObject();
    json.out.writeStringField("title", finding.title());
    json.identity(identity);
    json.out.writeFieldName("site");
    site(finding.site(), finding.cause());
    json.out.writeFieldName("owner");
    owner(finding.owner(), finding.site().className(), finding.site().method());
    json.out.writeFieldName("frame");
    frame(finding.frame());
    json.out.writeFieldName("caller");
    if (finding.caller().isPresent()) {
      Pin.Caller caller = finding.caller().get();
      json.out.writeStartObject();
      json.out.writeFieldName("frame");
      frame(Optional.of(caller.frame()));
      json.out.writeFieldName("owner");
      owner(caller.owner(), caller.frame().type().name(), caller.frame().method());
      json.out.writeEndObject();
    } else {
      json.out.writeNull();
    }
    json.out.writeObjectFieldStart("cost");
    cost(finding.cost());
    json.out.writeNumberField("shareOfPinned", finding.shareOfPinned());
    json.share("shareOfCapacity", finding.shareOfCapacity());
    json.out.writeNumberField("threads", finding.threads());
    json.out.writeNumberField("unended", finding.unended());
    json.out.writeEndObject();
    json.out.writeArrayFieldStart("operations");
    for (Pin.OperationCount each : finding.operations()) {
      json.out.writeStartObject();
      json.out.writeStringField("kind", JsonDocument.name(each.operation().kind()));
      json.textOrNull("detail", each.operation().detail());
      json.out.writeNumberField("count", each.count());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("alsoHeld");
    for (Pin.AlsoHeld also : finding.alsoHeld()) {
      json.out.writeStartObject();
      json.out.writeFieldName("site");
      site(also.site(), also.cause());
      json.out.writeFieldName("owner");
      owner(also.owner(), also.site().className(), also.site().method());
      json.out.writeNumberField("count", also.count());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    json.out.writeObjectFieldStart("confidence");
    for (Confidence confidence : Confidence.values()) {
      if (finding.confidence().containsKey(confidence)) {
        json.out.writeNumberField(
            JsonDocument.name(confidence), finding.confidence().get(confidence));
      }
    }
    json.out.writeEndObject();
    json.out.writeFieldName("lockObjects");
    lockObjects(finding.lockObjects());
    json.out.writeFieldName("overlap");
    overlap(finding.overlap());
    json.out.writeFieldName("nativeCall");
    nativeCall(finding.cause());
    json.reachedFrom(finding.reachedFrom());
    json.out.writeFieldName("advice");
    AdviceJson.write(json, advice.of(finding));
    json.out.writeEndObject();
  }

  private void nativeCall(PinCause cause) throws IOException {
    if (!(cause instanceof PinCause.NativeFrame call)) {
      json.out.writeNull();
      return;
    }
    json.out.writeStartObject();
    json.out.writeStringField("kind", JsonDocument.name(call.kind()));
    json.out.writeFieldName("calledBy");
    frame(call.calledBy());
    json.out.writeFieldName("calledBack");
    frame(call.calledBack());
    json.out.writeEndObject();
  }

  private void lockObjects(Optional<LockObjects> seen) throws IOException {
    if (seen.isEmpty()) {
      json.out.writeNull();
      return;
    }
    json.out.writeStartObject();
    json.out.writeNumberField("samples", seen.get().samples());
    json.out.writeNumberField("objects", seen.get().objects());
    json.out.writeNumberField("threads", seen.get().threads());
    json.out.writeNumberField("threadsOfBusiest", seen.get().threadsOfBusiest());
    json.out.writeNumberField("objectsOfSeveral", seen.get().objectsOfSeveral());
    json.out.writeNumberField("samplesOfRarest", seen.get().samplesOfRarest());
    json.out.writeEndObject();
  }

  private void overlap(Optional<Overlap> seen) throws IOException {
    if (seen.isEmpty()) {
      json.out.writeNull();
      return;
    }
    json.out.writeStartObject();
    json.out.writeNumberField("pins", seen.get().pins());
    json.out.writeNumberField("threads", seen.get().threads());
    json.out.writeEndObject();
  }

  private void site(Site site, PinCause cause) throws IOException {
    json.out.writeStartObject();
    json.out.writeStringField("kind", JsonDocument.name(site.kind()));
    json.textOrNull("class", site.className());
    json.textOrNull("method", site.method());
    json.textOrNull("descriptor", site.descriptor());
    json.textOrNull("detail", site.detail());
    json.out.writeFieldName("region");
    if (cause instanceof PinCause.HeldMonitor held) {
      json.region(held.site().region());
    } else {
      json.out.writeNull();
    }
    json.out.writeEndObject();
  }

  private void owner(Owner owner, String className, String method) throws IOException {
    json.out.writeStartObject();
    json.ownerFields(owner);
    if (owner instanceof Owner.Library library) {
      json.out.writeStringField("coordinatesFrom", library.coordinates().evidence().name());
      json.textOrNull(
          "fixedIn", advice.fixes().fixedIn(library.coordinates(), className, method).orElse(""));
    }
    json.out.writeEndObject();
  }

  private void frame(Optional<Frame> frame) throws IOException {
    if (frame.isEmpty()) {
      json.out.writeNull();
      return;
    }
    json.out.writeStartObject();
    json.out.writeStringField("class", frame.get().type().name());
    json.out.writeStringField("method", frame.get().method());
    json.out.writeStringField("descriptor", frame.get().descriptor());
    json.out.writeNumberField("bci", frame.get().bci());
    json.out.writeNumberField("line", frame.get().line());
    json.out.writeEndObject();
  }

  private void cost(Cost cost) throws IOException {
    json.out.writeNumberField("count", cost.count());
    json.out.writeNumberField("totalNanos", cost.totalNanos());
    json.out.writeNumberField("longestNanos", cost.longestNanos());
    json.out.writeNumberField("p50Nanos", cost.p50Nanos());
    json.out.writeNumberField("p99Nanos", cost.p99Nanos());
  }
}
