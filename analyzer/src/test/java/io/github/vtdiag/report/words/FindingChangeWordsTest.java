package io.github.vtdiag.report.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.format.Formats;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FindingChangeWordsTest {
  private static final String ALONE = "(known by its kind alone)";

  private static HangPlace at(String method, String holder) {
    return new HangPlace(method, "", "app.Lock", holder);
  }

  private static Findings hung(HangPlace... places) {
    return new Pins().hang("LockCycle", List.of(places), "deadlock: 2 threads").findings();
  }

  /** Since a run in which nothing was. */
  private static String changed(Findings after) {
    Difference difference =
        Difference.of(
            RunSummary.of("before", new Pins().findings()),
            RunSummary.of("after", after),
            Tolerance.NORMAL);
    return Formats.TEXT
        .write(new Report.Changed(difference, Detail.BRIEF), Style.PLAIN)
        .replaceAll("\\s+", " ");
  }

  @Test
  void aHangOfWhichNoPlaceIsToldSaysSo() {
    String report = changed(hung());
    assertTrue(report.contains("new: hung: deadlock: 2 threads " + ALONE), report);
  }

  @Test
  void whereToLookIsWhatHoldsTheLocks() {
    String report = changed(hung(at("app.A.add", "app.B.close"), at("app.B.add", "")));
    assertTrue(report.contains("deadlock: 2 threads; at app.B.add and app.B.close"), report);
    assertFalse(report.contains(ALONE), report);
    String many = changed(hung(at("a.A.a", ""), at("a.B.b", ""), at("a.C.c", ""), at("a.D.d", "")));
    assertTrue(many.contains("deadlock: 2 threads; at a.A.a and 3 more"), many);
  }

  /** Two places that differ only in what a line does not name are one line. */
  @Test
  void noLineIsThereTwice() {
    HangPlace one = new HangPlace("app.A.add", "app.B.run", "app.Lock", "");
    HangPlace two = new HangPlace("app.A.add", "app.C.run", "app.Lock", "");
    HangPlace other = new HangPlace("app.Z.add", "", "app.Lock", "");
    Pins starved = new Pins().hang("Starved", List.of(one, two, other), "starved: both carriers");
    String report = changed(starved.findings());
    assertEquals(1, report.split("starved: both carriers; at app.A.add", -1).length - 1, report);
    assertEquals(1, report.split("starved: both carriers; at app.Z.add", -1).length - 1, report);
  }

  private static Findings waitsForMonitor(String subject) {
    return new Pins()
        .findings()
        .withBehaviors(
            List.of(
                new Finding.Wait(
                    WaitKind.MONITOR,
                    new Observation(
                        subject,
                        Set.of(),
                        Optional.of(Pins.frame("app.Orders", "find", 1, 1)),
                        Optional.empty(),
                        new Owner.Jdk(),
                        new Observation.Amount(
                            Observation.Unit.THREAD_NANOS, 62.0 * 40 * Pins.SECOND, true),
                        1,
                        Optional.empty(),
                        true,
                        List.of(),
                        new Observation.Evidence(
                            List.of("vtdiag.WaitCrowd"), 60, OptionalLong.empty())))));
  }

  @Test
  void aMonitorOfUnknownClassIsNamedOnce() {
    String known = changed(waitsForMonitor("app.Ledger"));
    assertTrue(known.contains("waiting for a monitor: app.Ledger in app.Orders.find, "), known);
    String unknown = changed(waitsForMonitor("monitor"));
    assertTrue(unknown.contains("waiting for a monitor in app.Orders.find, "), unknown);
  }
}
