package io.github.vtdiag.report.json;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.live.TopSample;
import io.github.vtdiag.live.TopSample.CarrierRow;
import io.github.vtdiag.report.words.Words;
import java.time.Instant;

/** Writes a running JVM on one line of JSON. */
public final class TopJson {
  private TopJson() {}

  /** Returns the line, with its end. */
  public static String line(TopSample moment) {
    return JsonDocument.line(json -> write(json, moment));
  }

  private static void write(JsonObject json, TopSample moment) {
    json.put("pid", moment.target().pid())
        .put("program", moment.target().program())
        .put("java", moment.target().version())
        .put("time", Instant.ofEpochMilli(moment.atMillis()).toString())
        .put("agent", moment.recorded().agent())
        .put("parallelism", moment.parallelism())
        .put("queued", moment.queued())
        .array("carriers", moment.carriers(), TopJson::carrier)
        .object(
            "seen",
            moment.seen(),
            (each, seen) ->
                each.put("processor", seen.processor())
                    .put("ready", seen.ready())
                    .put("blocked", seen.blocked()))
        .array(
            "hangs",
            moment.hangs(),
            (each, hang) ->
                each.put("kind", hang.known().map(DiagnosisKind::name)).put("text", hang.text()));
    recorded(json, moment.recorded());
  }

  private static void carrier(JsonObject json, CarrierRow row) {
    json.put("id", row.id())
        .put("name", row.name())
        .put("state", row.state())
        .put("processor", row.busy())
        .object(
            "thread",
            row.carrying().filter(carrying -> carrying.thread() != row.id()),
            (each, carrying) ->
                each.put("id", carrying.thread())
                    .put("name", carrying.name())
                    .put("nanos", carrying.nanos())
                    .put("exact", carrying.exact())
                    .object("where", carrying.where(), JsonDocument::line));
  }

  private static void recorded(JsonObject json, TopSample.Recorded recorded) {
    json.put("recordedNanos", recorded.nanos()).putText("problem", recorded.problem());
    if (recorded.findings().isEmpty()) {
      json.putNull("verdict").putNull("account").putNull("others").putNull("pinned");
      return;
    }
    Findings findings = recorded.findings().get();
    AccountJson.members(json, findings);
    BehaviorJson.member(json, findings);
    json.object(
        "pinned",
        pinned ->
            pinned
                .put("count", findings.cost().count())
                .put("nanos", findings.cost().totalNanos())
                .put("shareOfCapacity", findings.shareOfCapacity())
                .array("findings", findings.pins(), TopJson::pin));
  }

  private static void pin(JsonObject json, Pin pin) {
    json.put("title", Words.title(pin))
        .put("cause", pin.cause().text())
        .put("count", pin.count())
        .put("nanos", pin.total())
        .put("longestNanos", pin.longest())
        .put("unended", pin.unended())
        .put("shareOfCapacity", pin.shareOfCapacity());
  }
}
