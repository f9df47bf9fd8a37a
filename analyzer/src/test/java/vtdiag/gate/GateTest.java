package vtdiag.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static vtdiag.analysis.Pins.MILLI;
import static vtdiag.analysis.Pins.frame;
import static vtdiag.analysis.Pins.method;
import static vtdiag.analysis.Pins.stack;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import vtdiag.advice.Advice;
import vtdiag.advice.KnownFixes;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Pins;
import vtdiag.gate.Policy.Evidence;
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
    return new Policy(
        OptionalLong.of(millis * MILLI),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalDouble.empty(),
        evidence);
  }

  private static Policy maxCount(long count, Evidence evidence) {
    return new Policy(
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.of(count),
        OptionalDouble.empty(),
        evidence);
  }

  private static Policy maxCapacity(double share) {
    return new Policy(
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalDouble.of(share),
        Evidence.NORMAL);
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
    Advice advice = new Advice(List.of(), new Findings.Freed(0, 0), KnownFixes.load());
    return Formats.TEXT.write(new Report.Judgement(none, verdict, advice), Style.PLAIN);
  }

  private static void assertNoData(Pins pins, Policy policy, String reason) {
    Verdict.NoData verdict = assertInstanceOf(Verdict.NoData.class, judge(pins, policy));
    assertEquals(List.of(reason), verdict.reasons());
  }

  @Test
  void aPolicyWithoutALimitIsNone() {
    OptionalLong none = OptionalLong.empty();
    assertThrows(
        IllegalArgumentException.class,
        () -> new Policy(none, none, none, OptionalDouble.empty(), Evidence.NORMAL));
  }

  @Test
  void anEventThatWasOffProvesNothing() {
    assertNoData(
        new Pins().setting(Events.PINNED, false, 0, true),
        maxPin(50, Evidence.NORMAL),
        "app.jfr: cannot tell pins: jdk.VirtualThreadPinned was off");
  }

  @Test
  void aWhatIfProvesNothing() {
    assertNoData(
        new Pins().agentOptions("depth=512,rewrite=auto"),
        maxPin(50, Evidence.NORMAL),
        "app.jfr: cannot tell how the application does as it is: recorded under a what-if, monitors"
            + " were rewritten");
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
        List.of("app.jfr: cannot tell pins shorter than 20 ms"),
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
            "app.jfr: cannot tell monitors, because they do not pin on Java 25: how this code does"
                + " on Java 21 cannot be told"),
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
            OptionalLong.of(50 * MILLI),
            OptionalLong.of(100 * MILLI),
            OptionalLong.of(10),
            OptionalDouble.of(0.001),
            Evidence.NORMAL);
    assertEquals(
        """
        FAIL  3 of 4 limits broken
          longest pin 175 ms, limit 50 ms: com.example.Db.execute (Db.java:326)
          pinned time 235 ms, limit 100 ms: com.example.Db.execute (Db.java:326)
          carrier time lost 0.2%, limit 0.1%: com.example.Db.execute (Db.java:326)
        """,
        text(judge(pins(175, 60), policy)));
  }

  @Test
  void passAndNoDataAsText() {
    assertEquals(
        "PASS  1 limit holds\n  longest pin 10 ms, limit 50 ms\n",
        text(judge(pins(10), maxPin(50, Evidence.NORMAL))));
    assertEquals(
        """
        NO_DATA  no limit is seen broken, but that is no proof
          app.jfr: JFR lost 1 bytes of events
        """,
        text(judge(pins(10).lost(1), maxPin(50, Evidence.NORMAL))));
  }
}
