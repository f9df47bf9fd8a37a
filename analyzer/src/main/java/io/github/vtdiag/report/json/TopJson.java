package io.github.vtdiag.report.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.attach.ToldHang;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.live.TopSample;
import io.github.vtdiag.live.TopSample.CarrierRow;
import io.github.vtdiag.live.TopSample.Carrying;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.report.words.Words;
import java.io.IOException;
import java.time.Instant;
import java.util.OptionalLong;

/** A running JVM on one line of JSON. */
public final class TopJson {
  private final JsonDocument json;
  private final JsonGenerator out;

  private TopJson(JsonDocument json) {
    this.json = json;
    this.out = json.out;
  }

  /** The line, with its end. */
  public static String line(TopSample moment) {
    return JsonDocument.line(json -> new TopJson(json).write(moment));
  }

  private void write(TopSample moment) throws IOException {
    out.writeNumberField("pid", moment.target().pid());
    out.writeStringField("program", moment.target().program());
    out.writeStringField("java", moment.target().version());
    out.writeStringField("time", Instant.ofEpochMilli(moment.atMillis()).toString());
    out.writeBooleanField("agent", moment.recorded().agent());
    if (moment.parallelism().isPresent()) {
      out.writeNumberField("parallelism", moment.parallelism().getAsInt());
    } else {
      out.writeNullField("parallelism");
    }
    number("queued", moment.queued());
    out.writeArrayFieldStart("carriers");
    for (CarrierRow row : moment.carriers()) {
      carrier(row);
    }
    out.writeEndArray();
    if (moment.seen().isEmpty()) {
      out.writeNullField("seen");
    } else {
      out.writeObjectFieldStart("seen");
      out.writeNumberField("processor", moment.seen().get().processor());
      out.writeNumberField("ready", moment.seen().get().ready());
      out.writeNumberField("blocked", moment.seen().get().blocked());
      out.writeEndObject();
    }
    out.writeArrayFieldStart("hangs");
    for (ToldHang hang : moment.hangs()) {
      out.writeStartObject();
      json.textOrNull("kind", hang.known().map(DiagnosisKind::name).orElse(""));
      out.writeStringField("text", hang.text());
      out.writeEndObject();
    }
    out.writeEndArray();
    recorded(moment.recorded());
  }

  private void carrier(CarrierRow row) throws IOException {
    out.writeStartObject();
    out.writeNumberField("id", row.id());
    out.writeStringField("name", row.name());
    out.writeStringField("state", row.state().name());
    json.share("processor", row.busy());
    if (row.carrying().isEmpty()) {
      out.writeNullField("thread");
    } else {
      Carrying carrying = row.carrying().get();
      out.writeObjectFieldStart("thread");
      out.writeNumberField("id", carrying.thread());
      out.writeStringField("name", carrying.name());
      out.writeNumberField("nanos", carrying.nanos());
      out.writeBooleanField("exact", carrying.exact());
      if (carrying.where().isEmpty()) {
        out.writeNullField("where");
      } else {
        Frame frame = carrying.where().get();
        out.writeObjectFieldStart("where");
        out.writeStringField("class", frame.type().name());
        out.writeStringField("method", frame.method());
        out.writeNumberField("line", frame.line());
        out.writeEndObject();
      }
      out.writeEndObject();
    }
    out.writeEndObject();
  }

  private void recorded(TopSample.Recorded recorded) throws IOException {
    out.writeNumberField("recordedNanos", recorded.nanos());
    json.textOrNull("problem", recorded.problem());
    if (recorded.findings().isEmpty()) {
      out.writeNullField("verdict");
      out.writeNullField("account");
      out.writeNullField("others");
      out.writeNullField("pinned");
      return;
    }
    Findings findings = recorded.findings().get();
    AccountJson.members(json, findings);
    BehaviorJson.member(json, findings);
    out.writeObjectFieldStart("pinned");
    out.writeNumberField("count", findings.cost().count());
    out.writeNumberField("nanos", findings.cost().totalNanos());
    json.share("shareOfCapacity", findings.shareOfCapacity());
    out.writeArrayFieldStart("findings");
    for (Pin finding : findings.pins()) {
      out.writeStartObject();
      out.writeStringField("title", Words.title(finding));
      out.writeStringField("cause", finding.cause().text());
      out.writeNumberField("count", finding.count());
      out.writeNumberField("nanos", finding.total());
      out.writeNumberField("longestNanos", finding.longest());
      out.writeNumberField("unended", finding.unended());
      json.share("shareOfCapacity", finding.shareOfCapacity());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private void number(String field, OptionalLong number) throws IOException {
    if (number.isPresent()) {
      out.writeNumberField(field, number.getAsLong());
    } else {
      out.writeNullField(field);
    }
  }
}
