package io.github.vtdiag.report.json;

import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.scan.Scan;
import io.github.vtdiag.scan.Scan.Monitor;
import io.github.vtdiag.scan.ScanVsRecording;
import io.github.vtdiag.scan.Wait;
import java.util.Optional;

/** Writes a scan as JSON. */
final class ScanJson {
  private final Report.Scanned of;

  private ScanJson(Report.Scanned of) {
    this.of = of;
  }

  static void members(JsonObject json, Report.Scanned of) {
    Scan scan = of.scan();
    json.texts("programs", of.programs())
        .put("jdk", of.java())
        .put("classes", scan.classes())
        .put("sites", scan.sites())
        .put("onlyFiles", scan.files())
        .put("unclearMethods", scan.unclear())
        .texts("missingLibraries", scan.missing())
        .array("monitors", scan.monitors(), new ScanJson(of)::monitor);
    if (of.meeting().isPresent()) {
      json.array("unpredicted", of.meeting().get().unpredicted(), ScanJson::unpredicted);
    } else {
      json.putNull("unpredicted");
    }
    json.texts("problems", scan.problems());
  }

  private static void unpredicted(JsonObject json, ScanVsRecording.Unpredicted pin) {
    MonitorId site = pin.key().site();
    JsonDocument.method(json, site.className(), site.method(), site.descriptor())
        .put("enterBci", site.enterBci())
        .putText("caller", pin.key().caller())
        .object("owner", owner -> JsonDocument.owner(owner, pin.owner()))
        .put("pins", pin.seen().count())
        .put("why", pin.why());
  }

  private void monitor(JsonObject json, Monitor monitor) {
    LockSite site = monitor.site();
    JsonDocument.method(json, site.type().name(), site.method(), site.descriptor())
        .put("kind", site.region().kind())
        .object("region", region -> JsonDocument.region(region, site.region()))
        .object("owner", owner -> JsonDocument.owner(owner, monitor.owner()))
        .object("caller", monitor.caller(), ScanJson::method)
        .put("waitsIn", monitor.waits());
    if (monitor.waits() == Wait.OBJECT_WAIT && monitor.caller().isEmpty()) {
      json.put("waitsOnHeld", monitor.onHeld());
    }
    json.put("cost", monitor.cost())
        .put("entries", monitor.entries())
        .put("line", monitor.line())
        .array("path", monitor.path(), ScanJson::method)
        .object(
            "also",
            monitor.also(),
            (each, also) ->
                each.put("waitsIn", also.waits())
                    .put("line", also.line())
                    .array("path", also.path(), ScanJson::method))
        .object(
            "seen",
            of.meeting(),
            (each, meeting) ->
                each.put("pins", meeting.of(monitor).map(ScanVsRecording.Seen::count).orElse(0L)))
        .object("rewrite", Optional.ofNullable(of.decisions().get(site.id())), ScanJson::rewrite);
  }

  private static void rewrite(JsonObject json, Decision decision) {
    switch (decision) {
      case Decision.Movable movable ->
          json.put("safe", true).object("lock", lock -> JsonDocument.lock(lock, movable.lock()));
      case Decision.Declined declined ->
          json.put("safe", false).put("rung", declined.rung()).put("reason", declined.reason());
    }
  }

  private static void method(JsonObject json, MethodName method) {
    JsonDocument.method(json, method.owner().replace('/', '.'), method.name(), method.descriptor());
  }
}
