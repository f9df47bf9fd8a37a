package io.github.vtdiag.report.json;

import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Owner;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.scan.Scan;
import io.github.vtdiag.scan.Scan.Monitor;
import io.github.vtdiag.scan.ScanVsRecording;
import io.github.vtdiag.scan.Wait;
import java.io.IOException;
import java.util.Optional;

/** A scan for programs. */
final class ScanJson {
  private final JsonDocument json;
  private final Report.Scanned of;

  private ScanJson(JsonDocument json, Report.Scanned of) {
    this.json = json;
    this.of = of;
  }

  static void members(JsonDocument json, Report.Scanned of) throws IOException {
    new ScanJson(json, of).members();
  }

  private void members() throws IOException {
    Scan scan = of.scan();
    json.texts("programs", of.programs());
    json.out.writeStringField("jdk", of.java());
    json.out.writeNumberField("classes", scan.classes());
    json.out.writeNumberField("sites", scan.sites());
    json.out.writeNumberField("onlyFiles", scan.files());
    json.out.writeNumberField("unclearMethods", scan.unclear());
    json.out.writeArrayFieldStart("monitors");
    for (Monitor monitor : scan.monitors()) {
      monitor(monitor);
    }
    json.out.writeEndArray();
    json.out.writeFieldName("unpredicted");
    if (of.meeting().isPresent()) {
      json.out.writeStartArray();
      for (ScanVsRecording.Unpredicted each : of.meeting().get().unpredicted()) {
        json.out.writeStartObject();
        json.out.writeStringField("class", each.key().site().className());
        json.out.writeStringField("method", each.key().site().method());
        json.out.writeStringField("descriptor", each.key().site().descriptor());
        json.out.writeNumberField("enterBci", each.key().site().enterBci());
        json.textOrNull("caller", each.key().caller());
        owner(each.owner());
        json.out.writeNumberField("pins", each.seen().count());
        json.out.writeStringField("why", each.why());
        json.out.writeEndObject();
      }
      json.out.writeEndArray();
    } else {
      json.out.writeNull();
    }
    json.texts("problems", scan.problems());
  }

  private void monitor(Monitor monitor) throws IOException {
    LockSite site = monitor.site();
    json.out.writeStartObject();
    json.out.writeStringField("class", site.type().name());
    json.out.writeStringField("method", site.method());
    json.out.writeStringField("descriptor", site.descriptor());
    json.out.writeStringField("kind", JsonDocument.name(site.region().kind()));
    json.out.writeFieldName("region");
    json.region(site.region());
    owner(monitor.owner());
    json.out.writeFieldName("caller");
    if (monitor.caller().isPresent()) {
      method(monitor.caller().get());
    } else {
      json.out.writeNull();
    }
    json.out.writeStringField("waitsIn", JsonDocument.name(monitor.waits()));
    if (monitor.waits() == Wait.OBJECT_WAIT && monitor.caller().isEmpty()) {
      json.out.writeBooleanField("waitsOnHeld", monitor.onHeld());
    }
    json.out.writeNumberField("cost", monitor.cost());
    json.out.writeNumberField("line", monitor.line());
    json.out.writeArrayFieldStart("path");
    for (MethodName each : monitor.path()) {
      method(each);
    }
    json.out.writeEndArray();
    json.out.writeFieldName("also");
    if (monitor.also().isPresent()) {
      Scan.Also also = monitor.also().get();
      json.out.writeStartObject();
      json.out.writeStringField("waitsIn", JsonDocument.name(also.waits()));
      json.out.writeNumberField("line", also.line());
      json.out.writeArrayFieldStart("path");
      for (MethodName each : also.path()) {
        method(each);
      }
      json.out.writeEndArray();
      json.out.writeEndObject();
    } else {
      json.out.writeNull();
    }
    json.out.writeFieldName("seen");
    Optional<ScanVsRecording.Seen> seen = of.meeting().flatMap(meeting -> meeting.of(monitor));
    if (of.meeting().isEmpty()) {
      json.out.writeNull();
    } else {
      json.out.writeStartObject();
      json.out.writeNumberField("pins", seen.map(ScanVsRecording.Seen::count).orElse(0L));
      json.out.writeEndObject();
    }
    json.out.writeFieldName("rewrite");
    rewrite(of.decisions().get(site.id()));
    json.out.writeEndObject();
  }

  private void rewrite(Decision decision) throws IOException {
    if (decision == null) {
      json.out.writeNull();
      return;
    }
    json.out.writeStartObject();
    switch (decision) {
      case Decision.Movable movable -> {
        json.out.writeBooleanField("safe", true);
        json.out.writeFieldName("lock");
        json.lock(movable.lock());
      }
      case Decision.Declined declined -> {
        json.out.writeBooleanField("safe", false);
        json.out.writeStringField("rung", JsonDocument.name(declined.rung()));
        json.out.writeStringField("reason", declined.reason());
      }
    }
    json.out.writeEndObject();
  }

  private void method(MethodName method) throws IOException {
    json.out.writeStartObject();
    json.out.writeStringField("class", method.owner().replace('/', '.'));
    json.out.writeStringField("method", method.name());
    json.out.writeStringField("descriptor", method.descriptor());
    json.out.writeEndObject();
  }

  private void owner(Owner owner) throws IOException {
    json.out.writeObjectFieldStart("owner");
    json.ownerFields(owner);
    json.out.writeEndObject();
  }
}
