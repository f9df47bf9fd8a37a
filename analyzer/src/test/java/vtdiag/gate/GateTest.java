package vtdiag.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vtdiag.analysis.Pins.MILLI;
import static vtdiag.analysis.Pins.frame;
import static vtdiag.analysis.Pins.method;
import static vtdiag.analysis.Pins.stack;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Pins;
import vtdiag.gate.Policy.Evidence;
import vtdiag.gate.Policy.Limit;
import vtdiag.model.Frame;
import vtdiag.pin.Events;
import vtdiag.report.Formats;
import vtdiag.report.Report;
import vtdiag.report.Style;

final class GateTest {
  private static final Frame EXECUTE = frame("com.example.Db", "execute", 20, 326);
  private static final Evidence INCOMPLETE = new Evidence(false, true, false);
  private static final Evidence ALLOWED = new Evidence(true, false, false);
  private static final Evidence STRICT = new Evidence(false, false, true);

  private static Policy maxPin(long millis, Evidence evidence) {
    return policy(Measures.LONGEST_PIN, (double) millis * MILLI, evidence);
  }

  private static Policy maxCount(long count, Evidence evidence) {
    return policy(Measures.COUNT, (double) count, evidence);
  }

  private static Policy maxCapacity(double share) {
    return policy(Measures.CAPACITY_LOST, share, Evidence.NORMAL);
  }

  private static Policy policy(Measure measure, double atMost, Evidence evidence) {
    return new Policy(List.of(new Limit(measure, atMost)), evidence);
  }

  private static Pins pins(long... millis) {
    Pins pins = new Pins();
    for (long each : millis) {
      pins.pin(1, each, stack(EXECUTE), method(0, EXECUTE));
    }
    return pins;
  }

  private static Verdict judge(Pins pins, Policy policy) {
    return Gate.judge(pins.findings(), policy);
  }

  private static String text(Verdict verdict) {
    Findings none = new Pins().findings();
    return Formats.TEXT.write(new Report.Judgement(none, verdict, Optional.empty()), Style.PLAIN);
  }

  private static void assertNoData(Pins pins, Policy policy, String reason) {
    Verdict.NoData verdict = assertInstanceOf(Verdict.NoData.class, judge(pins, policy));
    assertEquals(List.of(reason), verdict.reasons());
  }

  @Test
  void aPolicyWithoutALimitIsNone() {
    assertThrows(IllegalArgumentException.class, () -> new Policy(List.of(), Evidence.NORMAL));
  }

  @Test
  void anEventThatWasOffProvesNothing() {
    assertNoData(
        new Pins().setting(Events.PINNED, false, 0, true),
        maxPin(50, Evidence.NORMAL),
        "app.jfr does not show pins: jdk.VirtualThreadPinned was off");
  }

  @Test
  void aWhatIfProvesNothing() {
    assertNoData(
        new Pins().agentOptions("depth=512,rewrite=auto"),
        maxPin(50, Evidence.NORMAL),
        "app.jfr does not show how the application behaves as it is: this was recorded under a"
            + " what-if, which replaced monitors");
    assertInstanceOf(
        Verdict.Pass.class,
        judge(new Pins().agentOptions("output=rewrite=x"), maxPin(50, Evidence.NORMAL)));
  }

  @Test
  void unknownSettingsProveNothing() {
    assertInstanceOf(
        Verdict.NoData.class, judge(new Pins().noSettings(), maxPin(50, Evidence.NORMAL)));
  }

  @Test
  void aThresholdAboveTheLimitProvesNothing() {
    assertNoData(
        new Pins().setting(Events.PINNED, true, 20 * MILLI, true),
        maxPin(10, Evidence.NORMAL),
        "app.jfr: the threshold of jdk.VirtualThreadPinned was 20 ms, above the limit of 10 ms;"
            + " record with a lower threshold");
  }

  @Test
  void aThresholdOfTheMonitorEventsCountsOnlyWhereMonitorsPin() {
    Pins on21 = new Pins().setting(Events.MONITOR_WAIT, true, 20 * MILLI, true);
    assertInstanceOf(Verdict.NoData.class, judge(on21, maxPin(10, Evidence.NORMAL)));
    Pins on25 = new Pins().jdk(25).setting(Events.MONITOR_WAIT, true, 20 * MILLI, true);
    assertInstanceOf(Verdict.Pass.class, judge(on25, maxPin(10, Evidence.NORMAL)));
  }

  @Test
  void aThresholdAtTheLimitHidesNoViolationOfIt() {
    Verdict verdict =
        judge(
            new Pins().setting(Events.PINNED, true, 20 * MILLI, true), maxPin(20, Evidence.NORMAL));
    assertEquals(List.of(), assertInstanceOf(Verdict.Pass.class, verdict).warnings());
  }

  @Test
  void aThresholdIsAWarningForACountAndNoProofIfStrict() {
    Pins pins = new Pins().setting(Events.PINNED, true, 20 * MILLI, true);
    Verdict verdict = judge(pins, maxCount(5, Evidence.NORMAL));
    assertEquals(
        List.of("app.jfr does not show pins shorter than 20 ms"),
        assertInstanceOf(Verdict.Pass.class, verdict).warnings());
    assertInstanceOf(Verdict.NoData.class, judge(pins, maxCount(5, STRICT)));
  }

  @Test
  void monitorEventsThatWereOffAreAWarningAndNoProofIfStrict() {
    Pins pins = new Pins().setting(Events.MONITOR_ENTER, false, 0, false);
    Verdict verdict = judge(pins, maxPin(50, Evidence.NORMAL));
    assertEquals(1, assertInstanceOf(Verdict.Pass.class, verdict).warnings().size());
    assertInstanceOf(Verdict.NoData.class, judge(pins, maxPin(50, STRICT)));
  }

  @Test
  void aDamagedRecordingProvesNothingUnlessAllowed() {
    Pins pins = pins(10).problem("the last chunk is cut off");
    assertNoData(pins, maxPin(50, Evidence.NORMAL), "app.jfr: the last chunk is cut off");
    Verdict verdict = judge(pins, maxPin(50, INCOMPLETE));
    assertEquals(1, assertInstanceOf(Verdict.Pass.class, verdict).warnings().size());
  }

  @Test
  void lostEventsProveNothingUnlessAllowed() {
    Pins pins = pins(10).lost(4096);
    assertInstanceOf(Verdict.NoData.class, judge(pins, maxPin(50, Evidence.NORMAL)));
    assertInstanceOf(Verdict.Pass.class, judge(pins, maxPin(50, INCOMPLETE)));
  }

  @Test
  void unknownCapacityProvesNothingAboutCapacityOnly() {
    assertInstanceOf(Verdict.NoData.class, judge(pins(10).parallelismUnknown(), maxCapacity(0.5)));
    assertInstanceOf(
        Verdict.Pass.class, judge(pins(10).parallelismUnknown(), maxPin(50, Evidence.NORMAL)));
  }

  @Test
  void noProofPassesWithAWarningIfAllowed() {
    Verdict verdict = judge(new Pins().setting(Events.PINNED, false, 0, true), maxPin(50, ALLOWED));
    assertEquals(1, assertInstanceOf(Verdict.Pass.class, verdict).warnings().size());
  }

  @Test
  void aViolationThatIsSeenFailsWhateverElseIsMissing() {
    Verdict verdict =
        judge(pins(80).problem("the last chunk is cut off"), maxPin(50, Evidence.NORMAL));
    Verdict.Fail fail = assertInstanceOf(Verdict.Fail.class, verdict);
    assertEquals(1, fail.violations().size());
    assertEquals(List.of("app.jfr: the last chunk is cut off"), fail.warnings());
  }

  @Test
  void onJdk25PassingSaysNothingOf21() {
    Verdict verdict = judge(new Pins().jdk(25), maxPin(50, STRICT));
    assertEquals(
        List.of(
            "app.jfr does not show monitors, because they do not pin on Java 25: this says nothing"
                + " about Java 21"),
        assertInstanceOf(Verdict.Pass.class, verdict).warnings());
  }

  @Test
  void asMuchAsTheLimitIsAllowed() {
    assertInstanceOf(Verdict.Pass.class, judge(pins(50), maxPin(50, Evidence.NORMAL)));
    assertInstanceOf(Verdict.Pass.class, judge(pins(50, 50), maxCount(2, Evidence.NORMAL)));
    assertInstanceOf(Verdict.Fail.class, judge(pins(50, 50), maxCount(1, Evidence.NORMAL)));
  }

  @Test
  void everyBrokenLimitNamesItsSite() {
    Policy policy =
        new Policy(
            List.of(
                new Limit(Measures.LONGEST_PIN, 50 * MILLI),
                new Limit(Measures.TOTAL, 100 * MILLI),
                new Limit(Measures.COUNT, 10),
                new Limit(Measures.CAPACITY_LOST, 0.001)),
            Evidence.NORMAL);
    assertEquals(
        """
        FAIL  3 of 4 limits exceeded
          longest pin 175 ms, limit 50 ms: com.example.Db.execute (Db.java:326)
          pinned time 235 ms, limit 100 ms: com.example.Db.execute (Db.java:326)
          carrier time lost 0.2%, limit 0.1%: com.example.Db.execute (Db.java:326)
        """,
        text(judge(pins(175, 60), policy)));
  }

  @Test
  void passAndNoDataAsText() {
    assertEquals(
        "PASS  0 of 1 limit exceeded\n  longest pin 10 ms, limit 50 ms\n",
        text(judge(pins(10), maxPin(50, Evidence.NORMAL))));
    assertEquals(
        """
        NO_DATA  no limit was seen to be exceeded, but the data cannot rule it out
          app.jfr: JFR lost 1 bytes of events
        """,
        text(judge(pins(10).lost(1), maxPin(50, Evidence.NORMAL))));
  }

  private static List<Measure> measures() {
    return Measures.ALL;
  }

  /** Nothing else knows the measures, so each must tell all of it. */
  @ParameterizedTest
  @MethodSource("measures")
  void everyMeasureIsWhole(Measure measure) {
    assertTrue(measure.option().matches("--max-[a-z-]+"), measure.option());
    assertTrue(measure.description().endsWith("."), measure.description());
    double atMost = measure.unit().parse("1" + (measure.unit() == Unit.DURATION ? "ns" : ""));
    Verdict.Fail fail =
        assertInstanceOf(
            Verdict.Fail.class,
            judge(pins(80_000, 80_000), policy(measure, atMost / 100, Evidence.NORMAL)));
    assertEquals(measure, fail.violations().getFirst().measure());
    assertEquals("com.example.Db.execute (Db.java:326)", fail.checks().getFirst().where().get());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "DURATION|soon|'soon' is not a duration; write 50ms, 1.5s, 200us or PT0.2S",
        "COUNT|-1|'-1' is not a count; write 0 or more",
        "COUNT|1.5|'1.5' is not a count; write 0 or more",
        "PERCENT|lots|'lots' is not a percentage; write 5 or 0.5%",
        "PERCENT|1000|'1000' is not a percentage; write 5 or 0.5%"
      })
  void whatIsNoLimitIsSaid(Unit unit, String text, String message) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, () -> unit.parse(text)).getMessage());
  }
}
