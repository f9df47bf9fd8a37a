package io.github.vtdiag.report.ci;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.patch.LineEdit;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.patch.SourceLines;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.report.words.FindingWords;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * SARIF 2.1.0, which code scanners write. What breaks a limit is an error, other findings are
 * notes. Where the recordings cannot tell, the run says of itself that it did not succeed: an empty
 * list of results would read as if all were well.
 */
final class Sarif implements BuildFormat {
  private static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

  /** Whoever has read that many frames has seen who called. */
  private static final int MOST_FRAMES = 40;

  @Override
  public String option() {
    return "--sarif";
  }

  @Override
  public String description() {
    return "SARIF 2.1.0, for GitHub's code scanning and for editors; with --classpath and --sources"
        + " also what vtdiag patch would change.";
  }

  @Override
  public String write(BuildReport report) {
    return BuildJson.of(json -> new Writing(json, report).log());
  }

  /** One log that is being written. */
  private static final class Writing {
    private final JsonGenerator json;
    private final BuildReport report;
    private final List<Remark> results;
    private final List<Remark> notifications;
    private final Map<String, BuildRule> rules = new LinkedHashMap<>();

    Writing(JsonGenerator json, BuildReport report) {
      this.json = json;
      this.report = report;
      List<Remark> all = Remarks.of(report).all();
      results = all.stream().filter(remark -> !isNotification(remark)).toList();
      notifications = all.stream().filter(Writing::isNotification).toList();
      results.forEach(remark -> rules.put(remark.rule().id(), remark.rule()));
    }

    /** What is about the recordings, and not about the program. */
    private static boolean isNotification(Remark remark) {
      return switch (remark.level()) {
        case NO_DATA, WARNING -> true;
        case ERROR, NOTE -> false;
      };
    }

    void log() throws IOException {
      json.writeStartObject();
      json.writeStringField("$schema", SCHEMA);
      json.writeStringField("version", "2.1.0");
      json.writeArrayFieldStart("runs");
      json.writeStartObject();
      tool();
      json.writeStringField("columnKind", "utf16CodeUnits");
      invocation();
      json.writeArrayFieldStart("results");
      for (Remark remark : results) {
        result(remark);
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndArray();
      json.writeEndObject();
    }

    private void tool() throws IOException {
      json.writeObjectFieldStart("tool");
      json.writeObjectFieldStart("driver");
      json.writeStringField("name", "vtdiag");
      if (!report.version().isEmpty()) {
        json.writeStringField("version", report.version());
      }
      json.writeArrayFieldStart("rules");
      for (BuildRule rule : rules.values()) {
        json.writeStartObject();
        json.writeStringField("id", rule.id());
        json.writeStringField("name", rule.name());
        message("shortDescription", rule.summary());
        message("fullDescription", rule.text());
        message("help", rule.text() + " " + rule.help());
        json.writeObjectFieldStart("defaultConfiguration");
        json.writeStringField("level", "error");
        json.writeEndObject();
        json.writeObjectFieldStart("properties");
        json.writeArrayFieldStart("tags");
        json.writeString("performance");
        json.writeString("virtual-threads");
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndObject();
    }

    private void invocation() throws IOException {
      json.writeArrayFieldStart("invocations");
      json.writeStartObject();
      json.writeBooleanField(
          "executionSuccessful",
          switch (report.verdict()) {
            case Verdict.Pass pass -> true;
            case Verdict.Fail fail -> true;
            case Verdict.NoData noData -> false;
          });
      json.writeStringField(
          "exitCodeDescription",
          switch (report.verdict()) {
            case Verdict.Pass pass -> "PASS";
            case Verdict.Fail fail -> "FAIL";
            case Verdict.NoData noData -> "NO_DATA";
          });
      json.writeArrayFieldStart("toolExecutionNotifications");
      for (Remark remark : notifications) {
        for (String line : remark.lines()) {
          json.writeStartObject();
          json.writeStringField(
              "level", remark.level() == Remark.Level.NO_DATA ? "error" : "warning");
          message("message", line);
          json.writeEndObject();
        }
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndArray();
    }

    private void result(Remark remark) throws IOException {
      json.writeStartObject();
      json.writeStringField("ruleId", remark.rule().id());
      json.writeNumberField("ruleIndex", List.copyOf(rules.keySet()).indexOf(remark.rule().id()));
      json.writeStringField("level", remark.level() == Remark.Level.ERROR ? "error" : "note");
      message("message", String.join("\n", remark.lines()));
      json.writeArrayFieldStart("locations");
      json.writeStartObject();
      // GitHub refuses a file with a result that has no place, or no line.
      SourceLocation spot =
          SourceLocation.of(remark, report.sources())
              .orElseGet(() -> new SourceLocation(recording(), 1, false));
      physicalLocation(spot.path(), Math.max(1, spot.line()), 0);
      if (remark.place().isPresent()) {
        logicalLocation(remark.place().get());
      }
      json.writeEndObject();
      json.writeEndArray();
      json.writeObjectFieldStart("partialFingerprints");
      json.writeStringField("vtdiagFinding/v1", remark.identity().fingerprint());
      json.writeEndObject();
      if (remark.finding().isPresent()) {
        relatedLocations(remark.finding().get());
        stack(remark.finding().get());
      }
      if (remark.advised().isPresent()) {
        fixes(remark.advised().get());
      }
      json.writeEndObject();
    }

    private String recording() {
      return report.findings().recordings().stream()
          .map(RecordingFacts::source)
          .findFirst()
          .orElse("recording");
    }

    private void physicalLocation(String path, int line, int lastLine) throws IOException {
      json.writeObjectFieldStart("physicalLocation");
      artifactLocation(path);
      if (line > 0) {
        json.writeObjectFieldStart("region");
        json.writeNumberField("startLine", line);
        if (lastLine > line) {
          json.writeNumberField("endLine", lastLine);
        }
        json.writeEndObject();
      }
      json.writeEndObject();
    }

    private void artifactLocation(String path) throws IOException {
      json.writeObjectFieldStart("artifactLocation");
      json.writeStringField("uri", uri(path));
      json.writeEndObject();
    }

    private void logicalLocation(Frame frame) throws IOException {
      json.writeArrayFieldStart("logicalLocations");
      json.writeStartObject();
      json.writeStringField("name", SafeText.name(frame.method()));
      json.writeStringField("fullyQualifiedName", SafeText.name(frame.qualifiedMethod()));
      if (!frame.descriptor().isEmpty()) {
        json.writeStringField(
            "decoratedName", SafeText.name(frame.qualifiedMethod() + frame.descriptor()));
      }
      json.writeStringField("kind", "function");
      json.writeEndObject();
      json.writeEndArray();
    }

    /** Where the monitor is taken, and the own code that led there. */
    private void relatedLocations(Pin finding) throws IOException {
      List<Related> related = new ArrayList<>();
      if (finding.cause() instanceof PinCause.HeldMonitor held) {
        MonitorRegion region = held.site().region();
        report
            .sources()
            .of(held.site().type().name(), region.firstLine())
            .filter(place -> place.line() > 0)
            .ifPresent(place -> related.add(new Related(held.text(), place, region.lastLine())));
      }
      for (Pin.ReachedFrom from : finding.reachedFrom()) {
        report
            .sources()
            .of(from.frame())
            .filter(place -> place.line() > 0)
            .ifPresent(
                place ->
                    related.add(
                        new Related("reached from " + from.frame().qualifiedMethod(), place, 0)));
      }
      if (related.isEmpty()) {
        return;
      }
      json.writeArrayFieldStart("relatedLocations");
      for (int i = 0; i < related.size(); i++) {
        Related each = related.get(i);
        json.writeStartObject();
        json.writeNumberField("id", i + 1);
        physicalLocation(each.place().path(), each.place().line(), each.lastLine());
        message("message", each.text());
        json.writeEndObject();
      }
      json.writeEndArray();
    }

    private record Related(String text, SourceLines.Place place, int lastLine) {}

    private void stack(Pin finding) throws IOException {
      if (finding.stack().isAbsent()) {
        return;
      }
      json.writeArrayFieldStart("stacks");
      json.writeStartObject();
      message("message", "the stack of the pins that cost most together");
      json.writeArrayFieldStart("frames");
      for (Frame frame : finding.stack().frames().stream().limit(MOST_FRAMES).toList()) {
        json.writeStartObject();
        json.writeObjectFieldStart("location");
        Optional<SourceLines.Place> place = report.sources().of(frame);
        if (place.isPresent()) {
          physicalLocation(place.get().path(), place.get().line(), 0);
        }
        logicalLocation(frame);
        json.writeEndObject();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndArray();
    }

    /** One at most: several would be a choice, and what goes together is no choice. */
    private void fixes(Advised advised) throws IOException {
      List<Rewrite> wanted = BuildReport.rewrites(advised);
      Patch patch = report.patches().get(wanted);
      if (patch == null) {
        return;
      }
      json.writeArrayFieldStart("fixes");
      json.writeStartObject();
      message(
          "description",
          wanted.stream()
              .filter(rewrite -> patch.moved().containsAll(rewrite.locks()))
              .map(FindingWords::toDo)
              .collect(Collectors.joining("; ")));
      json.writeArrayFieldStart("artifactChanges");
      for (Patch.Change change : patch.files()) {
        change(change);
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndArray();
    }

    private void change(Patch.Change change) throws IOException {
      json.writeStartObject();
      artifactLocation(report.sources().pathOf(change.path()));
      json.writeArrayFieldStart("replacements");
      for (LineEdit edit : LineEdit.of(change)) {
        json.writeStartObject();
        json.writeObjectFieldStart("deletedRegion");
        json.writeNumberField("startLine", edit.startLine());
        json.writeNumberField("startColumn", edit.startColumn());
        json.writeNumberField("endLine", edit.endLine());
        json.writeNumberField("endColumn", edit.endColumn());
        json.writeEndObject();
        json.writeObjectFieldStart("insertedContent");
        // The code as it is: whoever applies it wants no escapes.
        json.writeStringField("text", edit.text());
        json.writeEndObject();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }

    /** In a message of SARIF brackets can make a link, and braces stand for an argument. */
    private void message(String field, String text) throws IOException {
      json.writeObjectFieldStart(field);
      json.writeStringField(
          "text",
          text.lines()
              .map(SafeText::text)
              .collect(Collectors.joining("\n"))
              .replace("](", "] (")
              .replace("{", "{{")
              .replace("}", "}}"));
      json.writeEndObject();
    }
  }

  /** A reference from the repository's top, or the address of a file that is outside. */
  private static String uri(String path) {
    String encoded =
        Arrays.stream(path.split("/", -1)).map(Sarif::segment).collect(Collectors.joining("/"));
    return path.startsWith("/") ? "file://" + encoded : encoded;
  }

  private static String segment(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
