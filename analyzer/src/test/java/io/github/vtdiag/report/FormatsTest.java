package io.github.vtdiag.report;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.gate.Gate;
import io.github.vtdiag.gate.Measures;
import io.github.vtdiag.gate.Policies;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.format.LongWords;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.NextSteps;
import io.github.vtdiag.scan.Scan;
import io.github.vtdiag.scan.ScanVsRecording;
import io.github.vtdiag.scan.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every format does with every report, whatever the names in it. */
final class FormatsTest {
  private static final String ESCAPE = "\u001b";

  static Stream<String> hostileNames() {
    return Stream.of(
        ESCAPE + "[2J" + ESCAPE + "]0;owned\u0007",
        "line\nFAIL  1 of 1 limits exceeded\r\nmore",
        "c1 \u009b31m \u0085 next",
        "left\u202eright\u2066isolated",
        "\u2028lines\u2029 \u200bzero",
        "lone \ud800 and \udc00 surrogates",
        "\udb40\udc41tag",
        "# heading\n\n- **bold** <script>alert(1)</script> [a](http://b) | cell | `code` ```",
        "@everyone #1 https://evil.example www.evil.example a\\|b `",
        "x".repeat(10_000));
  }

  private static List<Report> reports(String name) {
    Frame held = frame("com.example." + name, name, 1, 10);
    Frame inJdk = frame("java.util.concurrent.ConcurrentHashMap", "computeIfAbsent", 1, 10);
    Pins pins =
        new Pins()
            .source(name)
            .problem("it is damaged at " + name)
            .noSettings()
            .owner(
                held.type().name(),
                new Owner.Library(new Coordinates(name, name, name), name + ".jar"))
            .owner(inJdk.type().name(), new Owner.Jdk())
            .pin(1, 100, stack(held), method(0, held))
            .pin(1, 90, stack(inJdk, held), method(0, inJdk), method(1, held))
            .pin(1, 80, stack(held, held), new PinCause.MonitorEntry(held, name))
            .pin(1, 70, stack(held, inJdk), new PinCause.AwaitedInitialization(name))
            .pin(1, 60, StackTrace.ABSENT, new PinCause.HiddenVmFrame(name))
            .pin(1, 50, stack(inJdk, inJdk), new PinCause.Unexplained(name));
    Findings findings = pins.findings();
    Advice advice = Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, type -> false);
    List<Report> reports = new ArrayList<>();
    List<String> next = List.of("vtdiag gate " + name);
    for (Detail detail : Detail.values()) {
      reports.add(new Report.Analysis(findings, advice, detail, next));
      reports.add(
          new Report.Recommendations(
              findings, advice, detail, Optional.empty(), NextSteps.of(next)));
    }
    Findings limited =
        new Pins()
            .looked(10, 10, 80, 3, 90)
            .pin(1, 60_000, stack(held), method(0, held))
            .findings();
    reports.add(
        new Report.Analysis(
            limited,
            Advisor.advise(limited, KnownFixes.load(), Advisor::unknown, type -> false),
            Detail.BRIEF,
            next));
    for (long limit : new long[] {1, 10_000}) {
      reports.add(
          new Report.Judgement(findings, Gate.judge(findings, maxPin(limit)), Optional.of(advice)));
    }
    reports.add(ComparisonDocumentTest.named(name));
    reports.add(scanned(name, findings));
    return reports;
  }

  static Report scanned(String name, Findings findings) {
    LockSite site =
        new LockSite(
            new ClassRef("com.example." + name, ""),
            name,
            "()V",
            new MonitorRegion(MonitorRegion.Kind.METHOD, LockExpression.THIS, -1, 1, 2, List.of()));
    MethodName method = new MethodName("com/example/" + name, name, "()V");
    Scan.Monitor monitor =
        new Scan.Monitor(
            site,
            List.of(),
            new Owner.Application(name),
            Optional.of(method),
            Wait.SOCKET,
            1,
            List.of(method, method),
            true,
            Optional.of(new Scan.Also(Wait.SLEEP, 1, List.of(method))),
            2,
            3);
    Scan scan = new Scan(List.of(monitor), 1, 1, 1, 1, List.of(name), List.of(name));
    return new Report.Scanned(
        List.of(name),
        name,
        scan,
        Map.of(site.id(), Advisor.unknown(site)),
        Optional.of(ScanVsRecording.of(scan, findings, type -> false)),
        20,
        List.of("vtdiag scan " + name));
  }

  private static Policy maxPin(long millis) {
    return Policies.of(
        List.of(new Policy.Limit(Measures.LONGEST_PIN, (double) millis * MILLI)),
        Policy.Evidence.NORMAL);
  }

  @ParameterizedTest
  @MethodSource("hostileNames")
  void nothingReachesATerminalThatItWouldObey(String name) {
    for (Format format : Formats.ALL) {
      for (Report report : reports(name)) {
        String text = format.write(report, Style.PLAIN);
        text.codePoints()
            .filter(codePoint -> codePoint != '\n')
            .forEach(codePoint -> assertFalse(isUnsafe(codePoint), () -> shown(codePoint, text)));
      }
    }
  }

  private static boolean isUnsafe(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }

  private static String shown(int codePoint, String text) {
    return "U+" + Integer.toHexString(codePoint) + " in " + text;
  }

  /** With colours the only escape codes are ours. */
  @ParameterizedTest
  @MethodSource("hostileNames")
  void inATerminalTheOnlyCodesAreOurs(String name) {
    for (Report report : reports(name)) {
      String text = Formats.TEXT.write(report, new Style(true, 80));
      assertFalse(text.replaceAll(ESCAPE + "\\[(0|1|2|1;31|32|33)m", "").contains(ESCAPE), text);
    }
  }

  @ParameterizedTest
  @MethodSource("hostileNames")
  void noNameMakesALineOfItsOwn(String name) {
    String shown = Printable.text(LongWords.shortened(name));
    List<Report> tame = reports("N".repeat(shown.length()));
    List<Report> hostile = reports(name);
    for (int i = 0; i < tame.size(); i++) {
      assertEquals(lines(tame.get(i)), lines(hostile.get(i)));
    }
  }

  private static long lines(Report report) {
    return Formats.TEXT.write(report, Style.PLAIN).lines().count();
  }

  /** Programs get the names as they are. */
  @ParameterizedTest
  @MethodSource("hostileNames")
  void jsonTellsNamesAsTheyAre(String name) throws Exception {
    JsonNode json =
        new ObjectMapper().readTree(Formats.JSON.write(reports(name).getFirst(), Style.PLAIN));
    assertEquals(name, json.at("/recordings/0/source").asText());
    assertEquals("com.example." + name, json.at("/findings/0/site/class").asText());
  }

  /** Whatever a name is, the page has the same elements. */
  @ParameterizedTest
  @MethodSource("hostileNames")
  void noNameMakesAnElementOfItsOwn(String name) {
    String shown = Printable.text(LongWords.shortened(name));
    List<Report> tame = reports("N".repeat(shown.length()));
    List<Report> hostile = reports(name);
    for (int i = 0; i < tame.size(); i++) {
      assertEquals(elements(tame.get(i)), elements(hostile.get(i)));
    }
  }

  private static List<String> elements(Report report) {
    return Pattern.compile("<[^>]*>")
        .matcher(Formats.HTML.write(report, Style.PLAIN))
        .results()
        .map(MatchResult::group)
        // Where a name may break, and its package, which is faint.
        .filter(element -> !element.matches("<(wbr|/?span.*)>"))
        .toList();
  }

  @Test
  void noLineIsAsLongAsTheLongestName() {
    for (Report report : reports("x".repeat(10_000))) {
      for (String line : Formats.TEXT.write(report, Style.PLAIN).lines().toList()) {
        // Commands are there to be copied.
        assertTrue(line.length() < 3_000 || line.startsWith("  Next: "), line);
      }
    }
  }

  @Test
  void everyFormatHasANameOfItsOwn() {
    assertEquals(Formats.ALL.size(), Formats.ALL.stream().map(Format::name).distinct().count());
    for (Format format : Formats.ALL) {
      assertEquals(format, Formats.named(format.name()).orElseThrow());
    }
    assertTrue(Formats.named("none").isEmpty());
    assertEquals("text, json, markdown or html", Formats.names());
  }
}
