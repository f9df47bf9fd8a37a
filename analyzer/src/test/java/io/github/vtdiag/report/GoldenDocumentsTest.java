package io.github.vtdiag.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.attach.SeenJvm;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.dump.GoldenHang;
import io.github.vtdiag.dump.HangAnswer;
import io.github.vtdiag.findings.MisuseKind;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.gate.Gate;
import io.github.vtdiag.gate.Measures;
import io.github.vtdiag.gate.Policies;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.patch.UnifiedDiff;
import io.github.vtdiag.report.ci.BuildFormats;
import io.github.vtdiag.report.ci.BuildReport;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.NextSteps;
import io.github.vtdiag.report.words.PatchReport;
import io.github.vtdiag.report.words.UpgradeWords;
import io.github.vtdiag.source.SourceLines;
import io.github.vtdiag.testing.Jdks;
import io.github.vtdiag.upgrade.MonitorFate;
import io.github.vtdiag.upgrade.Upgrade;
import io.github.vtdiag.upgrade.VersionCheck;
import io.github.vtdiag.verdict.Conclusions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every document in words, for fixed findings, beside what it was. {@code -Dvtdiag.write=true}
 * writes the files, whose difference then shows what a change of a sentence does.
 */
final class GoldenDocumentsTest {
  private static final Path GOLDEN =
      Jdks.projectFolder().resolve("analyzer/src/test/resources/io/github/vtdiag/report/golden");

  private static final String NEXT = "vtdiag gate app.jfr --max-pin 50ms";

  private final StringBuilder text = new StringBuilder();

  /** The same for programs, which no detail changes. */
  private final Set<String> json = new LinkedHashSet<>();

  private void part(String title, String document) {
    text.append("==== ").append(title).append(" ====\n").append(document.strip()).append("\n\n");
  }

  private void part(String title, Report report) {
    part(title, Formats.TEXT.write(report, Style.PLAIN));
    json.add(Formats.JSON.write(report, Style.PLAIN));
  }

  private void compare(String name) throws Exception {
    compare(GOLDEN.resolve(name + ".txt"), text.toString());
  }

  private void compareWithJson(String name) throws Exception {
    compare(name);
    compare(GOLDEN.resolve(name + ".json"), String.join("", json));
  }

  private static void compare(Path file, String text) throws Exception {
    if (Boolean.getBoolean("vtdiag.write")) {
      Files.createDirectories(GOLDEN);
      Files.writeString(file, text);
    }
    Patch.Change change =
        new Patch.Change(
            file,
            new Patch.FileBytes(Files.readAllBytes(file)),
            new Patch.FileBytes(text.getBytes(UTF_8)));
    String diff = new String(UnifiedDiff.of(List.of(), List.of(change), GOLDEN), UTF_8);
    assertTrue(diff.isEmpty(), "-Dvtdiag.write=true takes this over:\n" + diff);
  }

  private static Advice advice(Findings findings) {
    return Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, type -> false);
  }

  private static Report analysis(Findings findings, Detail detail) {
    return new Report.Analysis(findings, advice(findings), detail, List.of(NEXT));
  }

  private static Report advised(Findings findings, Advice advice, Detail detail) {
    return new Report.Recommendations(
        findings, advice, detail, Optional.empty(), NextSteps.of(List.of(NEXT)));
  }

  /** The kinds of pins, as analyze and advise tell them. */
  @Test
  void pins() throws Exception {
    Findings findings = GoldenFindings.everyPin().findings();
    assertEquals(
        EnumSet.allOf(PinKind.class),
        findings.pins().stream().map(pin -> pin.kind()).collect(Collectors.toSet()));
    for (Detail detail : Detail.values()) {
      part("analyze, " + detail, analysis(findings, detail));
      part("advise, " + detail, advised(findings, advice(findings), detail));
    }
    compareWithJson("pins");
  }

  @Test
  void waitsAndMisuse() throws Exception {
    List<Behavior> all = new ArrayList<>(GoldenFindings.waits(true));
    all.addAll(GoldenFindings.misuse());
    Set<Object> kinds = all.stream().map(Behavior::kind).collect(Collectors.toSet());
    assertEquals(WaitKind.values().length + MisuseKind.values().length, kinds.size());
    Findings none = new Pins().looked(5, 0, 0, 0, 0).findings();
    // A document lists no more than so many.
    for (List<Behavior> each :
        List.of(GoldenFindings.waits(true), GoldenFindings.misuse(), GoldenFindings.waits(false))) {
      Findings findings = none.withBehaviors(each);
      for (Detail detail : Detail.values()) {
        part("analyze, " + detail, analysis(findings, detail));
      }
      part("advise", advised(findings, advice(findings), Detail.BRIEF));
    }
    compareWithJson("waits-and-misuse");
  }

  @Test
  void verdicts() throws Exception {
    Set<Bottleneck> all = EnumSet.noneOf(Bottleneck.class);
    GoldenFindings.verdicts()
        .forEach(
            (name, findings) -> {
              all.add(Conclusions.of(findings).kind());
              part(name, analysis(findings, Detail.BRIEF));
            });
    assertEquals(EnumSet.allOf(Bottleneck.class), all);
    compare("verdicts");
  }

  @Test
  void gaps() throws Exception {
    Set<Gap.Kind> all = EnumSet.noneOf(Gap.Kind.class);
    GoldenFindings.gaps()
        .forEach(
            (name, findings) -> {
              findings.gaps().forEach(gap -> all.add(gap.kind()));
              part(name + ": analyze", analysis(findings, Detail.FULL));
              part(name + ": advise", advised(findings, advice(findings), Detail.FULL));
              part(name + ": gate", judged(findings, 50));
            });
    assertEquals(EnumSet.allOf(Gap.Kind.class), all);
    compare("gaps");
  }

  private static Policy maxPin(long millis) {
    return Policies.of(
        List.of(
            new Policy.Limit(Measures.LONGEST_PIN, (double) millis * Pins.MILLI),
            new Policy.Limit(Measures.COUNT, 1_000.0)),
        Policy.Evidence.NORMAL);
  }

  private static Report judged(Findings findings, long millis) {
    return new Report.Judgement(
        findings, Gate.judge(findings, maxPin(millis)), Optional.of(advice(findings)), Detail.FULL);
  }

  @Test
  void gate() throws Exception {
    Findings pins = GoldenFindings.everyPin().findings();
    part("FAIL", judged(pins, 50));
    part("PASS", judged(pins, 10_000));
    part("NO_DATA", judged(new Pins().unwatched().findings(), 50));
    part("hung", judged(new Pins().hang("deadlock of 2 threads", "  a", "  b").findings(), 50));
    Measures.ALL.forEach(each -> part(each.option(), each.text() + ": " + each.description()));
    compareWithJson("gate");
  }

  @Test
  void build() throws Exception {
    for (Findings findings :
        List.of(
            GoldenFindings.everyPin().findings(),
            new Pins().unwatched().findings(),
            new Pins().hang("deadlock of 2 threads", "  a", "  b").findings())) {
      BuildReport report =
          new BuildReport(
              findings,
              Gate.judge(findings, maxPin(50)),
              advice(findings),
              Identities.of(findings),
              SourceLines.NONE,
              Map.of(),
              "1.0");
      // The others say the same in the syntax of a server.
      BuildFormats.ALL.stream()
          .filter(format -> Set.of("--annotations", "--summary").contains(format.option()))
          .forEach(format -> part(format.option(), format.write(report)));
    }
    compare("build");
  }

  @Test
  void changes() throws Exception {
    Findings none = new Pins().findings();
    Findings pins = GoldenFindings.everyPin().findings();
    List<Behavior> others = new ArrayList<>(GoldenFindings.waits(true));
    others.addAll(GoldenFindings.misuse());
    part("new", changed(none, pins.withBehaviors(others)));
    part("gone", changed(pins.withBehaviors(others), none));
    part("not comparable", changed(new Pins().unwatched().findings(), pins));
    part("compare", ComparisonDocumentTest.named("auto"));
    compareWithJson("changes");
  }

  private static Report changed(Findings before, Findings after) {
    return new Report.Changed(
        Difference.of(
            RunSummary.of("before.jfr", before),
            RunSummary.of("after.jfr", after),
            Tolerance.NORMAL),
        Detail.FULL);
  }

  @Test
  void others() throws Exception {
    for (HangAnswer answer : GoldenHang.answers()) {
      part("hang", new Report.Hung("7", answer, Detail.FULL, List.of(NEXT)));
    }
    part(
        "jvms",
        new Report.Jvms(
            List.of(
                new SeenJvm(
                    7, "app.Main", "25", Optional.of(true), OptionalLong.of(9), Optional.of(true)),
                new SeenJvm(8, "", "", Optional.empty(), OptionalLong.empty(), Optional.empty()))));
    part("no jvms", new Report.Jvms(List.of()));
    Findings pins = GoldenFindings.everyPin().findings();
    part("scan", FormatsTest.scanned("Orders", pins));
    part(
        "patch",
        PatchReport.sentence(
                new Patch(List.of(), List.of(), List.of(), List.of(), Map.of(), List.of()),
                List.of())
            + "\n"
            + PatchReport.jdks(8).orElseThrow());
    var site = pins.pins().getFirst().site();
    Coordinates library = new Coordinates("org.postgresql", "postgresql", "42.5.4");
    for (MonitorFate fate :
        List.of(
            new MonitorFate.Taken("a.B.c"), new MonitorFate.Locked(), new MonitorFate.Unread())) {
      part(
          "upgrade",
          String.join(
              "\n",
              UpgradeWords.lines(
                  new Upgrade(
                      library,
                      library.name(),
                      List.of(site),
                      List.of(
                          new VersionCheck(library.name(), "42.7", Map.of(site, fate), List.of())),
                      Optional.of("42.7"),
                      Optional.empty(),
                      fate.isFree() ? Optional.of("42.7") : Optional.empty(),
                      0,
                      1,
                      List.of("no other version could be read")))));
    }
    compareWithJson("others");
  }
}
