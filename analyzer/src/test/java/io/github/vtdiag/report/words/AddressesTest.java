package io.github.vtdiag.report.words;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.SECOND;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.advice.Recommendation;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.FindingKind;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.findings.FindingKinds;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.gate.Gate;
import io.github.vtdiag.gate.Measures;
import io.github.vtdiag.gate.Policies;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class AddressesTest {
  private static final Frame FIRST = frame("com.example.Db", "execute", 20, 326);
  private static final Frame SECOND_SITE = frame("com.example.Mail", "send", 20, 7);

  private static Findings findings() {
    Behavior pool =
        new Finding.Wait(
            WaitKind.POOL,
            new Observation(
                "HikariCP",
                Set.of(),
                Optional.of(frame("com.example.Orders", "find", 3, 40)),
                Optional.empty(),
                new Owner.Jdk(),
                new Observation.Amount(Observation.Unit.THREAD_NANOS, 600 * SECOND, true),
                1,
                Optional.empty(),
                true,
                List.of(),
                new Observation.Evidence(List.of("vtdiag.WaitCrowd"), 60, OptionalLong.empty())));
    return new Pins()
        .pin(1, 900, stack(FIRST), method(0, FIRST))
        .pin(2, 800, stack(SECOND_SITE), method(0, SECOND_SITE))
        .findings()
        .withBehaviors(List.of(pool));
  }

  private static Advice advice(Findings findings) {
    return Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, type -> false);
  }

  @Test
  void theSummaryOfAJobSaysOfEachFindingWhereToReadOn() {
    Findings findings = findings();
    Policy policy =
        Policies.of(
            List.of(new Policy.Limit(Measures.LONGEST_PIN, 50.0 * MILLI)), Policy.Evidence.NORMAL);
    String summary =
        Formats.MARKDOWN.write(
            new Report.Judgement(
                findings, Gate.judge(findings, policy), Optional.of(advice(findings))),
            Style.PLAIN);
    Identities identities = Identities.of(findings);
    List<String> fingerprints =
        Stream.concat(
                findings.pins().stream().map(identities::of),
                findings.behaviors().stream().map(identities::of))
            .map(identity -> identity.fingerprint())
            .toList();
    assertEquals(3, Set.copyOf(fingerprints).size());
    for (String fingerprint : fingerprints) {
      assertTrue(
          summary.contains(
              "- fingerprint: `"
                  + fingerprint
                  + "`; page: `report.html#"
                  + fingerprint
                  + "`; see: `docs/"),
          summary);
    }
    assertTrue(summary.contains("`docs/verdicts.md#a-pool`"), summary);
  }

  /** At a terminal the recording is at hand. */
  @Test
  void otherReportsDoWithout() {
    Findings findings = findings();
    String report =
        Formats.TEXT.write(
            new Report.Analysis(findings, advice(findings), Detail.FULL, List.of()), Style.PLAIN);
    for (Pin finding : findings.pins()) {
      assertFalse(report.contains(Identities.of(findings).of(finding).fingerprint()), report);
    }
  }

  private static List<String> sections(String page) throws IOException {
    return Files.readAllLines(Jdks.projectFolder().resolve(page)).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
        .map(title -> title.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
        .toList();
  }

  @Test
  void theSectionsAreThere() throws IOException {
    Stream<String> advised =
        Stream.of(
                new Recommendation.Rewrite(List.of()),
                new Recommendation.UpgradeLibrary("a:b", "1", "a:b", "2", null),
                new Recommendation.ChangePattern(null, "a.B.c", Set.of()),
                new Recommendation.UpgradeJdk(),
                new Recommendation.Keep(new Recommendation.Why.Harmless(1, 0)))
            .map(Addresses::section);
    Stream<String> others =
        FindingKinds.all().stream().map(FindingKind::page).filter(page -> page.contains("#"));
    for (String section : Stream.concat(advised, others).toList()) {
      int at = section.indexOf('#');
      assertTrue(sections(section.substring(0, at)).contains(section.substring(at + 1)), section);
    }
  }
}
