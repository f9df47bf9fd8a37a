package io.github.vtdiag.report.ci;

import io.github.vtdiag.advice.Advised;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.patch.LineEdit;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.report.json.JsonObject;
import io.github.vtdiag.report.words.FindingWords;
import io.github.vtdiag.source.SourceLines;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * SARIF 2.1.0, the format of code scanners. A finding that breaks a limit is an error, other
 * findings are notes. If the recordings do not suffice, the run is marked as unsuccessful: an empty
 * list of results would read as success.
 */
final class Sarif implements BuildFormat {
  private static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

  /** The most frames of a stack; so many frames show who called. */
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
    return BuildJson.of(new Writing(report)::log);
  }

  /** A log while it is written. */
  private static final class Writing {
    private final BuildReport report;
    private final List<Annotation> results;
    private final List<Annotation> notifications;
    private final Map<String, BuildRule> rules = new LinkedHashMap<>();

    Writing(BuildReport report) {
      this.report = report;
      List<Annotation> all = AnnotationList.of(report).all();
      results = all.stream().filter(annotation -> !isNotification(annotation)).toList();
      notifications = all.stream().filter(Writing::isNotification).toList();
      results.forEach(annotation -> rules.put(annotation.rule().id(), annotation.rule()));
    }

    /** Returns whether a remark is about the recordings, and not about the program. */
    private static boolean isNotification(Annotation annotation) {
      return switch (annotation.level()) {
        case NO_DATA, WARNING -> true;
        case ERROR, NOTE -> false;
      };
    }

    void log(JsonObject json) {
      json.put("$schema", SCHEMA)
          .put("version", "2.1.0")
          .array(
              "runs",
              List.of(report),
              (run, of) ->
                  run.object("tool", tool -> tool.object("driver", this::driver))
                      .put("columnKind", "utf16CodeUnits")
                      .array("invocations", List.of(of.verdict()), this::invocation)
                      .array("results", results, this::result));
    }

    private void driver(JsonObject json) {
      json.put("name", "vtdiag");
      if (!report.version().isEmpty()) {
        json.put("version", report.version());
      }
      json.array("rules", rules.values(), Writing::rule);
    }

    private static void rule(JsonObject json, BuildRule rule) {
      json.put("id", rule.id()).put("name", rule.name());
      message(json, "shortDescription", rule.summary());
      message(json, "fullDescription", rule.text());
      message(json, "help", rule.text() + " " + rule.help());
      json.object("defaultConfiguration", each -> each.put("level", "error"))
          .object(
              "properties", each -> each.texts("tags", List.of("performance", "virtual-threads")));
    }

    private void invocation(JsonObject json, Verdict verdict) {
      json.put(
              "executionSuccessful",
              switch (verdict) {
                case Verdict.Pass pass -> true;
                case Verdict.Fail fail -> true;
                case Verdict.NoData noData -> false;
              })
          .put(
              "exitCodeDescription",
              switch (verdict) {
                case Verdict.Pass pass -> "PASS";
                case Verdict.Fail fail -> "FAIL";
                case Verdict.NoData noData -> "NO_DATA";
              })
          .array(
              "toolExecutionNotifications",
              notifications.stream()
                  .flatMap(of -> of.lines().stream().map(line -> new Notification(of, line)))
                  .toList(),
              (each, of) -> {
                each.put(
                    "level",
                    of.annotation().level() == Annotation.Level.NO_DATA ? "error" : "warning");
                message(each, "message", of.line());
              });
    }

    private record Notification(Annotation annotation, String line) {}

    private void result(JsonObject json, Annotation annotation) {
      json.put("ruleId", annotation.rule().id())
          .put("ruleIndex", List.copyOf(rules.keySet()).indexOf(annotation.rule().id()))
          .put("level", annotation.level() == Annotation.Level.ERROR ? "error" : "note");
      message(json, "message", String.join("\n", annotation.lines()));
      // GitHub rejects a file with a result that has no place, or no line.
      SourceLocation spot =
          SourceLocation.of(annotation, report.sources())
              .orElseGet(() -> new SourceLocation(recording(), 1, false));
      json.array(
              "locations",
              List.of(spot),
              (each, at) -> {
                physicalLocation(each, at.path(), Math.max(1, at.line()), 0);
                annotation.place().ifPresent(frame -> logicalLocation(each, frame));
              })
          .object(
              "partialFingerprints",
              each -> each.put("vtdiagFinding/v1", annotation.identity().fingerprint()));
      annotation.finding().ifPresent(finding -> relatedLocations(json, finding));
      annotation.finding().ifPresent(finding -> stack(json, finding));
      annotation.advised().ifPresent(advised -> fixes(json, advised));
    }

    private String recording() {
      return report.findings().recordings().stream()
          .map(RecordingFacts::source)
          .findFirst()
          .orElse("recording");
    }

    private static void physicalLocation(JsonObject json, String path, int line, int lastLine) {
      json.object(
          "physicalLocation",
          each -> {
            artifactLocation(each, path);
            if (line > 0) {
              each.object(
                  "region",
                  region -> {
                    region.put("startLine", line);
                    if (lastLine > line) {
                      region.put("endLine", lastLine);
                    }
                  });
            }
          });
    }

    private static void artifactLocation(JsonObject json, String path) {
      json.object("artifactLocation", each -> each.put("uri", uri(path)));
    }

    private static void logicalLocation(JsonObject json, Frame of) {
      json.array(
          "logicalLocations",
          List.of(of),
          (each, frame) -> {
            each.put("name", SafeText.name(frame.method()))
                .put("fullyQualifiedName", SafeText.name(frame.qualifiedMethod()));
            if (!frame.descriptor().isEmpty()) {
              each.put(
                  "decoratedName", SafeText.name(frame.qualifiedMethod() + frame.descriptor()));
            }
            each.put("kind", "function");
          });
    }

    /** Writes the place where the monitor is taken, and the application's code that led there. */
    private void relatedLocations(JsonObject json, Pin finding) {
      List<Related> related = new ArrayList<>();
      if (finding.cause() instanceof PinCause.HeldMonitor held) {
        MonitorRegion region = held.site().region();
        report
            .sources()
            .of(held.site().type().name(), region.firstLine())
            .filter(place -> place.line() > 0)
            .ifPresent(place -> related.add(new Related(1, held.text(), place, region.lastLine())));
      }
      for (Pin.ReachedFrom from : finding.reachedFrom()) {
        report
            .sources()
            .of(from.frame())
            .filter(place -> place.line() > 0)
            .ifPresent(
                place ->
                    related.add(
                        new Related(
                            related.size() + 1,
                            "reached from " + from.frame().qualifiedMethod(),
                            place,
                            0)));
      }
      if (related.isEmpty()) {
        return;
      }
      json.array(
          "relatedLocations",
          related,
          (each, of) -> {
            each.put("id", of.id());
            physicalLocation(each, of.place().path(), of.place().line(), of.lastLine());
            message(each, "message", of.text());
          });
    }

    private record Related(int id, String text, SourceLines.Place place, int lastLine) {}

    private void stack(JsonObject json, Pin finding) {
      if (finding.stack().isAbsent()) {
        return;
      }
      json.array(
          "stacks",
          List.of(finding.stack()),
          (each, stack) -> {
            message(each, "message", "the stack of the pins that cost most together");
            each.array(
                "frames",
                stack.frames().stream().limit(MOST_FRAMES).toList(),
                (to, frame) -> to.object("location", location -> location(location, frame)));
          });
    }

    private void location(JsonObject json, Frame frame) {
      report
          .sources()
          .of(frame)
          .ifPresent(place -> physicalLocation(json, place.path(), place.line(), 0));
      logicalLocation(json, frame);
    }

    /**
     * Writes at most one fix: several would mean a choice, but rewrites that go together are no
     * choice.
     */
    private void fixes(JsonObject json, Advised advised) {
      List<Rewrite> wanted = advised.rewrites();
      Patch patch = report.patches().get(wanted);
      if (patch == null) {
        return;
      }
      json.array(
          "fixes",
          List.of(patch),
          (each, of) -> {
            message(
                each,
                "description",
                wanted.stream()
                    .filter(rewrite -> of.moved().containsAll(rewrite.locks()))
                    .map(FindingWords::toDo)
                    .collect(Collectors.joining("; ")));
            each.array("artifactChanges", of.files(), this::change);
          });
    }

    private void change(JsonObject json, Patch.Change change) {
      artifactLocation(json, report.sources().pathOf(change.path()));
      json.array("replacements", LineEdit.of(change), Writing::replacement);
    }

    private static void replacement(JsonObject json, LineEdit edit) {
      json.object(
              "deletedRegion",
              region ->
                  region
                      .put("startLine", edit.startLine())
                      .put("startColumn", edit.startColumn())
                      .put("endLine", edit.endLine())
                      .put("endColumn", edit.endColumn()))
          // The code is unescaped, because it is going to be applied.
          .object("insertedContent", content -> content.put("text", edit.text()));
    }

    /** Writes a message. In SARIF, brackets in it could be links, and braces are placeholders. */
    private static void message(JsonObject json, String name, String text) {
      json.object(
          name,
          each ->
              each.put(
                  "text",
                  text.lines()
                      .map(SafeText::text)
                      .collect(Collectors.joining("\n"))
                      .replace("](", "] (")
                      .replace("{", "{{")
                      .replace("}", "}}")));
    }
  }

  /** Returns a reference from the repository's root, or the URL of a file outside it. */
  private static String uri(String path) {
    String encoded =
        Arrays.stream(path.split("/", -1)).map(Sarif::segment).collect(Collectors.joining("/"));
    return path.startsWith("/") ? "file://" + encoded : encoded;
  }

  private static String segment(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
