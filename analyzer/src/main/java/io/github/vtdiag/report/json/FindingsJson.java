package io.github.vtdiag.report.json;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.analysis.Finding.Hang;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Findings.Since24;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.LockObjects;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.Optional;
import java.util.TreeMap;

/** Writes findings as JSON. */
final class FindingsJson {
  private final Advice advice;

  private FindingsJson(Advice advice) {
    this.advice = advice;
  }

  /** Writes everything known, each finding with its advice. */
  static void members(JsonObject json, Findings findings, Advice advice) {
    AccountJson.members(json, findings);
    Identities identities = Identities.of(findings);
    FindingsJson pins = new FindingsJson(advice);
    json.array("recordings", findings.recordings(), FindingsJson::recording)
        .object("total", total -> total(total, findings))
        .object("since24", findings.since24(), FindingsJson::since24)
        .array(
            "findings",
            findings.pins(),
            (each, pin) ->
                pins.pin(
                    JsonDocument.identity(each.put("title", pin.title()), identities.of(pin))
                        .put("ambiguous", identities.of(pin).ambiguous()),
                    pin));
    AdviceJson.entries(json, findings, advice);
    BehaviorJson.member(json, findings);
    json.array(
            "endings",
            findings.endings(),
            (each, ending) ->
                each.put("recording", ending.recording())
                    .put("carriers", ending.carriers())
                    .put("keptNanos", ending.nanos())
                    .put("queued", ending.queued()))
        .array(
            "limits",
            findings.gaps(),
            (each, gap) ->
                each.put("kind", gap.kind())
                    .putText("recording", gap.recording())
                    .put("text", gap.text()));
  }

  private static void total(JsonObject json, Findings findings) {
    JsonDocument.cost(json, findings.cost())
        .put("unended", findings.unended())
        .put("threads", findings.threads())
        .put(
            "capacityNanos",
            findings.capacity().stream().mapToLong(Findings.Capacity::nanos).findFirst())
        .put("shareOfCapacity", findings.shareOfCapacity())
        .put("pinnedWhenShort", findings.pinnedWhenShort());
  }

  private static void recording(JsonObject json, RecordingFacts facts) {
    json.put("source", facts.source())
        .putText("jdkVersion", facts.jdkVersion())
        .put("startNanos", facts.startNanos())
        .put("durationNanos", facts.durationNanos())
        .put("parallelism", facts.parallelism())
        .put("waitingThreads", facts.waitingThreads())
        .put("gcPauseNanos", facts.gcPauseNanos())
        .object(
            "watch",
            facts.watched(),
            (each, watched) ->
                each.put("thresholdNanos", watched.thresholdNanos())
                    .put("nativeThresholdNanos", watched.nativeNanos())
                    .put("blindNanos", watched.blindNanos()))
        .array("hangs", facts.hangs(), (each, seen) -> hang(each, new Hang(facts.source(), seen)))
        .put("end", facts.end())
        .putText("agentVersion", facts.agent().map(RecordingFacts.Agent::version).orElse(""));
  }

  private static void hang(JsonObject json, Hang hang) {
    json.put("kind", hang.seen().kind().wireName())
        .put("atNanos", hang.seen().startNanos())
        .put("deadlock", hang.seen().deadlock())
        .put("ended", hang.seen().ended())
        .texts("words", hang.seen().lines())
        .array(
            "findings",
            Identities.of(hang).entrySet(),
            (each, finding) ->
                JsonDocument.identity(each, finding.getKey())
                    .array("places", finding.getValue(), FindingsJson::place));
  }

  private static void place(JsonObject json, HangPlace place) {
    json.put("method", place.method())
        .putText("caller", place.caller())
        .putText("lock", place.lock())
        .putText("holder", place.holder());
  }

  private static void since24(JsonObject json, Since24 since24) {
    json.put("goneNanos", since24.goneNanos())
        .put("staysNanos", since24.staysNanos())
        .put("unknownNanos", since24.unknownNanos());
  }

  private void pin(JsonObject json, Pin pin) {
    json.object("site", each -> site(each, pin.site(), pin.cause()))
        .object("owner", each -> owner(each, pin.owner(), pin.site()))
        .object("frame", pin.frame(), FindingsJson::frame)
        .object(
            "caller",
            pin.caller(),
            (each, caller) ->
                each.object("frame", to -> frame(to, caller.frame()))
                    .object(
                        "owner",
                        to ->
                            owner(
                                to,
                                caller.owner(),
                                caller.frame().type().name(),
                                caller.frame().method())))
        .object(
            "cost",
            cost ->
                JsonDocument.cost(cost, pin.cost())
                    .put("shareOfPinned", pin.shareOfPinned())
                    .put("shareOfCapacity", pin.shareOfCapacity())
                    .put("threads", pin.threads())
                    .put("unended", pin.unended()))
        .array(
            "operations",
            pin.operations(),
            (each, of) ->
                each.put("kind", of.operation().kind())
                    .putText("detail", of.operation().detail())
                    .put("count", of.count()))
        .array(
            "alsoHeld",
            pin.alsoHeld(),
            (each, also) ->
                each.object("site", to -> site(to, also.site(), also.cause()))
                    .object("owner", to -> owner(to, also.owner(), also.site()))
                    .put("count", also.count()))
        .object(
            "confidence",
            each ->
                new TreeMap<>(pin.confidence())
                    .forEach((confidence, count) -> each.put(confidence.name(), count)))
        .object("lockObjects", pin.lockObjects(), FindingsJson::lockObjects)
        .object(
            "overlap",
            pin.overlap(),
            (each, overlap) -> each.put("pins", overlap.pins()).put("threads", overlap.threads()))
        .object("nativeCall", nativeFrame(pin.cause()), FindingsJson::nativeCall);
    JsonDocument.reachedFrom(json, pin.reachedFrom());
    json.object("advice", each -> AdviceJson.write(each, advice.of(pin)));
  }

  private static Optional<NativeFrame> nativeFrame(PinCause cause) {
    return cause instanceof NativeFrame call ? Optional.of(call) : Optional.empty();
  }

  private static void nativeCall(JsonObject json, NativeFrame call) {
    json.put("kind", call.kind())
        .object("calledBy", call.calledBy(), FindingsJson::frame)
        .object("calledBack", call.calledBack(), FindingsJson::frame);
  }

  private static void lockObjects(JsonObject json, LockObjects seen) {
    json.put("samples", seen.samples())
        .put("objects", seen.objects())
        .put("threads", seen.threads())
        .put("threadsOfBusiest", seen.threadsOfBusiest())
        .put("objectsOfSeveral", seen.objectsOfSeveral())
        .put("samplesOfRarest", seen.samplesOfRarest());
  }

  private static void site(JsonObject json, Site site, PinCause cause) {
    json.put("kind", site.kind())
        .putText("class", site.className())
        .putText("method", site.method())
        .putText("descriptor", site.descriptor())
        .putText("detail", site.detail());
    if (cause instanceof PinCause.HeldMonitor held) {
      json.object("region", each -> JsonDocument.region(each, held.site().region()));
    } else {
      json.putNull("region");
    }
  }

  private void owner(JsonObject json, Owner owner, Site site) {
    owner(json, owner, site.className(), site.method());
  }

  private void owner(JsonObject json, Owner owner, String className, String method) {
    JsonDocument.owner(json, owner);
    if (owner instanceof Owner.Library library) {
      json.put("coordinatesFrom", library.coordinates().evidence())
          .put("fixedIn", advice.fixes().fixedIn(library.coordinates(), className, method));
    }
  }

  private static void frame(JsonObject json, Frame frame) {
    JsonDocument.source(
        JsonDocument.method(json, frame.type().name(), frame.method(), frame.descriptor())
            .put("bci", frame.bci())
            .put("line", frame.line()),
        frame.type());
  }
}
