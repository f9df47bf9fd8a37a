package io.github.vtdiag.report.ci;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.block;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.gate.Allowance;
import io.github.vtdiag.gate.Gate;
import io.github.vtdiag.gate.Measure;
import io.github.vtdiag.gate.Measures;
import io.github.vtdiag.gate.Policies;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.ci.BuildReports.Command;
import io.github.vtdiag.source.SourceFolders;
import io.github.vtdiag.source.SourceLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BuildFormatsTest {
  private static final Frame LOAD = frame("shop.Stock", "load", 5, 3);
  private static final Frame COUNT = frame("shop.Stock", "count", 7, 5);
  private static final Frame SLEEP = frame("java.lang.Thread", "sleep", 3, 100);

  @TempDir private Path folder;

  private static String write(String option, BuildReport report) {
    return BuildFormats.ALL.stream()
        .filter(format -> format.option().equals(option))
        .findFirst()
        .orElseThrow()
        .write(report);
  }

  private static BuildReport report(Pins pins, Measure measure, double limit) throws Exception {
    return report(pins, measure, limit, SourceLines.NONE);
  }

  private static BuildReport report(Pins pins, Measure measure, double limit, SourceLines sources)
      throws Exception {
    return report(
        pins,
        Policies.of(List.of(new Policy.Limit(measure, limit)), Policy.Evidence.NORMAL),
        sources);
  }

  private static BuildReport report(Pins pins, Policy policy, SourceLines sources)
      throws Exception {
    Findings findings = pins.findings();
    return new BuildReport(
        findings,
        Gate.judge(findings, policy),
        Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, type -> false),
        Identities.of(findings),
        sources,
        Map.of(),
        "1.0");
  }

  private static BuildReport maxPin(Pins pins, long millis) throws Exception {
    return report(pins, Measures.LONGEST_PIN, (double) millis * MILLI);
  }

  /** One that is longer than 50 ms, and one that is not. */
  private static Pins twoFindings() {
    return new Pins()
        .pin(1, 80, stack(SLEEP, LOAD), method(1, LOAD))
        .pin(2, 40, stack(SLEEP, COUNT), method(1, COUNT));
  }

  @Test
  void whatCannotBeToldIsAnErrorEverywhere() throws Exception {
    BuildReport report = maxPin(new Pins().unwatched(), 50);
    var tests = BuildReports.tests(BuildReports.junit(write("--junit", report)));
    assertEquals(
        List.of("longest pin, limit 50 ms", "The recordings cannot tell"),
        List.copyOf(tests.keySet()));
    // Nothing is green: no pin was seen, and there may have been one.
    assertEquals("error: The recordings cannot tell", tests.get("longest pin, limit 50 ms"));
    String outcome = tests.get("The recordings cannot tell");
    assertTrue(outcome.startsWith("error: app.jfr does not show unended pins"), outcome);

    JsonNode run = BuildReports.sarif(write("--sarif", report));
    assertFalse(run.at("/invocations/0/executionSuccessful").asBoolean(true));
    assertEquals("NO_DATA", run.at("/invocations/0/exitCodeDescription").asText());
    JsonNode notification = run.at("/invocations/0/toolExecutionNotifications/0");
    assertEquals("error", notification.path("level").asText());
    assertTrue(notification.at("/message/text").asText().startsWith("app.jfr does not show"));
    assertEquals(0, run.path("results").size());

    List<Command> commands = BuildReports.annotations(write("--annotations", report));
    assertEquals("error", commands.getFirst().name());
    assertEquals(
        "vtdiag: NO_DATA: The recordings cannot tell",
        commands.getFirst().properties().get("title"));

    JsonNode issues = BuildReports.codeQuality(write("--code-quality", report));
    assertEquals(1, issues.size());
    assertEquals("blocker", issues.at("/0/severity").asText());
    assertEquals("app.jfr", issues.at("/0/location/path").asText());

    assertTrue(write("--summary", report).contains("**NO\\_DATA**"), write("--summary", report));
  }

  @Test
  void aHangFailsWhateverTheLimitsAre() throws Exception {
    BuildReport report = maxPin(new Pins().hang("deadlock of 2 threads", "a", "b"), 50);
    assertEquals(
        Map.of(
            "longest pin, limit 50 ms",
            "",
            "The program hung",
            "failure: app.jfr: deadlock of 2 threads"),
        BuildReports.tests(BuildReports.junit(write("--junit", report))));
    JsonNode run = BuildReports.sarif(write("--sarif", report));
    assertEquals("hang", run.at("/results/0/ruleId").asText());
    assertEquals("error", run.at("/results/0/level").asText());
    // Where there is no code to show, the recording is what shows it.
    assertEquals(
        "app.jfr", run.at("/results/0/locations/0/physicalLocation/artifactLocation/uri").asText());
    assertEquals("FAIL", run.at("/invocations/0/exitCodeDescription").asText());
    assertTrue(run.at("/invocations/0/executionSuccessful").asBoolean());
    assertEquals(
        "error", BuildReports.annotations(write("--annotations", report)).getFirst().name());
  }

  @Test
  void aLimitThatNoFindingBreaksFailsByItself() throws Exception {
    BuildReport report = report(new Pins().looked(90, 0, 0, 9, 0), Measures.QUEUE, 5);
    assertEquals(
        Map.of(
            "threads waiting for a carrier, limit 5",
            "failure: threads waiting for a carrier 9, limit 5"),
        tests(report, 1));
    JsonNode run = BuildReports.sarif(write("--sarif", report));
    assertEquals("limit-queue", run.at("/results/0/ruleId").asText());
    assertEquals("LimitQueue", run.at("/tool/driver/rules/0/name").asText());
  }

  private static Map<String, String> tests(BuildReport report, int expected) throws Exception {
    Map<String, String> tests = BuildReports.tests(BuildReports.junit(write("--junit", report)));
    assertEquals(expected, tests.size(), tests.toString());
    return tests;
  }

  @Test
  void onlyWhatBreaksALimitFails() throws Exception {
    BuildReport report = maxPin(twoFindings(), 50);
    Map<String, String> tests = tests(report, 2);
    assertEquals(
        "failure: shop.Stock.load held carriers for 80 ms in 1 pin: longest pin 80 ms, limit 50 ms",
        tests.get("SYNCHRONIZED_METHOD shop.Stock.load on this"));

    JsonNode run = BuildReports.sarif(write("--sarif", report));
    assertEquals(
        List.of("error", "note"),
        StreamSupport.stream(run.path("results").spliterator(), false)
            .map(result -> result.path("level").asText())
            .toList());
    assertTrue(
        run.at("/results/0/message/text").asText().contains("\nsynchronized method, lock: this"));

    List<Command> commands = BuildReports.annotations(write("--annotations", report));
    assertEquals(1, commands.stream().filter(each -> each.name().equals("error")).count());
    assertEquals(
        List.of("critical", "info"),
        StreamSupport.stream(
                BuildReports.codeQuality(write("--code-quality", report)).spliterator(), false)
            .map(issue -> issue.path("severity").asText())
            .toList());
  }

  @Test
  void withinTheLimitsNothingFails() throws Exception {
    BuildReport report = maxPin(twoFindings(), 80);
    assertEquals(Map.of("longest pin, limit 80 ms", ""), tests(report, 1));
    JsonNode run = BuildReports.sarif(write("--sarif", report));
    run.path("results").forEach(each -> assertEquals("note", each.path("level").asText()));
    assertEquals("PASS", run.at("/invocations/0/exitCodeDescription").asText());
    assertTrue(
        BuildReports.annotations(write("--annotations", report)).stream()
            .allMatch(command -> command.name().equals("notice")));
    assertTrue(write("--summary", report).contains("**PASS**"));
  }

  @Test
  void anAllowanceThatIsOverFailsWhereItWas() throws Exception {
    LocalDate end = LocalDate.of(2026, 3, 31);
    Allowance allowance = new Allowance("shop.Stock.load", "slow", "team-shop", end, "vtdiag.yml");
    for (Pins pins : List.of(twoFindings(), new Pins())) {
      boolean pinned = pins.findings().cost().count() > 0;
      BuildReport report =
          report(
              pins,
              Policies.of(
                  List.of(new Policy.Limit(Measures.LONGEST_PIN, 100.0 * MILLI)),
                  List.of(allowance),
                  Optional.empty(),
                  Policy.Evidence.NORMAL,
                  List.of(),
                  end.plusDays(1)),
              SourceLines.NONE);
      String said = "expired: shop.Stock.load was allowed until 2026-03-31; team-shop owns it";
      Map<String, String> tests = tests(report, pinned ? 3 : 2);
      assertTrue(tests.get("no allowance has expired").contains(said), tests.toString());
      assertEquals("", tests.get("longest pin, limit 100 ms"));
      JsonNode results = BuildReports.sarif(write("--sarif", report)).path("results");
      assertEquals("error", results.at("/0/level").asText());
      assertTrue(results.at("/0/message/text").asText().contains(said), results.toString());
    }
  }

  @Test
  void whatIsNewSinceTheBaselineFailsWhereItIs() throws Exception {
    Pins before = new Pins().pin(2, 40, stack(SLEEP, COUNT), method(1, COUNT));
    Pins after = twoFindings();
    for (int thread = 3; thread < 30; thread++) {
      after.pin(thread, 80, stack(SLEEP, LOAD), method(1, LOAD));
    }
    BuildReport report =
        report(
            after,
            Policies.of(
                List.of(),
                List.of(),
                Optional.of(
                    new Policy.Baseline(
                        RunSummary.of("before", before.findings()),
                        Tolerance.NORMAL,
                        false,
                        "base.json")),
                Policy.Evidence.NORMAL,
                List.of(),
                LocalDate.EPOCH),
            SourceLines.NONE);
    Map<String, String> tests = tests(report, 2);
    assertEquals(
        "failure: new: shop.Stock.load, waits inside a synchronized method, 28 pins, longest 80 ms",
        tests.get("nothing new or worse than the baseline"));
    assertTrue(tests.containsKey("SYNCHRONIZED_METHOD shop.Stock.load on this"), tests.toString());
  }

  @Test
  void whereNothingWasFoundThereIsNothingToShow() throws Exception {
    BuildReport report = maxPin(new Pins(), 50);
    assertEquals(0, BuildReports.codeQuality(write("--code-quality", report)).size());
    assertEquals(0, BuildReports.sarif(write("--sarif", report)).path("results").size());
    assertEquals(Map.of("longest pin, limit 50 ms", ""), tests(report, 1));
  }

  @Test
  void aPlaceIsTheNearestLineOfOnesOwnSources() throws Exception {
    Path file = folder.toRealPath().resolve("src/my shop/shop/Stock.java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "package shop;\n\nclass Stock {\n}\n");
    SourceLines sources =
        SourceLines.of(
            new SourceFolders(List.of(folder.toRealPath().resolve("src/my shop"))),
            folder.toRealPath());
    Frame inLibrary = frame("lib.Pool", "take", 2, 77);
    BuildReport report =
        report(
            new Pins().pin(1, 80, stack(SLEEP, inLibrary, LOAD), method(1, inLibrary)),
            Measures.LONGEST_PIN,
            50.0 * MILLI,
            sources);
    Command command = BuildReports.annotations(write("--annotations", report)).getFirst();
    assertEquals("src/my shop/shop/Stock.java", command.properties().get("file"));
    assertEquals("3", command.properties().get("line"));
    JsonNode location = BuildReports.sarif(write("--sarif", report)).at("/results/0/locations/0");
    assertEquals(
        "src/my%20shop/shop/Stock.java",
        location.at("/physicalLocation/artifactLocation/uri").asText());
    assertEquals(3, location.at("/physicalLocation/region/startLine").asInt());
    // What it is about is still what was found.
    assertEquals("lib.Pool.take", location.at("/logicalLocations/0/fullyQualifiedName").asText());

    BuildReport without =
        report(
            new Pins().pin(1, 80, stack(SLEEP, inLibrary, LOAD), method(1, inLibrary)),
            Measures.LONGEST_PIN,
            50.0 * MILLI);
    assertFalse(
        BuildReports.annotations(write("--annotations", without))
            .getFirst()
            .properties()
            .containsKey("file"));
    assertEquals(
        "lib/Pool.java",
        BuildReports.sarif(write("--sarif", without))
            .at("/results/0/locations/0/physicalLocation/artifactLocation/uri")
            .asText());
  }

  @Test
  void findingsOfOneMethodStayApart() throws Exception {
    Frame first = frame("shop.Stock", "load", 5, 3);
    Frame second = frame("shop.Stock", "load", 25, 9);
    BuildReport report =
        maxPin(
            new Pins()
                .pin(1, 80, stack(SLEEP, first), block(1, first, 2, 10))
                .pin(2, 90, stack(SLEEP, second), block(1, second, 20, 30)),
            50);
    tests(report, 3);
    JsonNode results = BuildReports.sarif(write("--sarif", report)).path("results");
    assertEquals(2, results.size());
    assertFalse(results.at("/0/partialFingerprints").equals(results.at("/1/partialFingerprints")));
    assertEquals(2, BuildReports.codeQuality(write("--code-quality", report)).size());
  }

  @ParameterizedTest
  @EnumSource
  void everySortOfPinHasItsRule(PinKind kind) {
    BuildRule rule = BuildRules.of(kind);
    assertTrue(rule.id().matches("pinned-[a-z-]+"), rule.id());
    assertTrue(rule.text().startsWith("A virtual thread waits") && rule.text().endsWith("."));
    Site site = new Site(kind, new MonitorId("", "", "", MonitorId.METHOD), "", "");
    assertEquals(site.pinsSince24(), !rule.text().contains("JEP 491"), rule.text());
    assertTrue(rule.help().contains("docs/"), rule.help());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "</script><script>alert(1)</script>",
        "]]></failure></testcase><testcase name=\"x\"/>",
        "\"'&lt;&#0;",
        "x\n::error::forged\r\n::stop-commands::x",
        "%0A::error::forged,file=x:1%25",
        "[text](https://evil.example) ![x](y) {0} {{1}}",
        "##[error]x",
        "| `` <img src=x onerror=y> | **b** # @you #1",
        "\u0000\u0001\u001b[2J\u009b\u0085",
        "\u202eevil\u2066\u2028\u2029\u200b\ufeff",
        "\ud800 \udc00 \ud800x\udc00",
        "\ufffe\uffff",
        "\ud83d\ude00 \u00e9",
        "../../../etc/passwd",
        "LONG"
      })
  void anyNameStaysText(String given) throws Exception {
    String name = given.equals("LONG") ? "x".repeat(10_000) : given;
    BuildReport report = maxPin(named(name), 50);
    Map<String, String> tests = tests(report, 2);
    String shown = SafeText.text("com.example." + name + "." + name);
    assertTrue(
        tests.values().stream().anyMatch(outcome -> outcome.contains(shown)), tests.toString());
    JsonNode result = BuildReports.sarif(write("--sarif", report)).at("/results/0");
    assertEquals(
        SafeText.name("com.example." + name + "." + name),
        result.at("/locations/0/logicalLocations/0/fullyQualifiedName").asText());
    assertFalse(result.at("/message/text").asText().contains("]("));
    List<Command> commands = BuildReports.annotations(write("--annotations", report));
    assertEquals(1, commands.stream().filter(each -> each.name().equals("error")).count());
    assertTrue(commands.getFirst().data().startsWith(shown), commands.toString());
    assertEquals(1, BuildReports.codeQuality(write("--code-quality", report)).size());
    for (BuildFormat format : BuildFormats.ALL) {
      for (String line : format.write(report).lines().toList()) {
        assertEquals(Printable.text(line), line, format.option());
      }
    }
    assertEquals(
        MarkdownShape.of(write("--summary", maxPin(named("plain"), 50))),
        MarkdownShape.of(write("--summary", report)));
  }

  private static Pins named(String name) {
    Frame frame =
        new Frame(
            new ClassRef("com.example." + name, name), name, "()V", 0, 5, 3, Frame.Kind.COMPILED);
    return new Pins()
        .source(name.replace("/", "").replace("\u0000", "") + ".jfr")
        .pin(1, 80, stack(SLEEP, frame), new PinCause.MonitorEntry(frame, name));
  }
}
