package io.github.vtdiag.gate;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.gate.Policy.Evidence;
import io.github.vtdiag.gate.Policy.Limit;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinCause.AwaitedInitialization;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.words.Detail;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class GateTest {
  private static final Frame EXECUTE = frame("com.example.Db", "execute", 20, 326);
  private static final Evidence INCOMPLETE = new Evidence(false, true, false, false, false);
  private static final Evidence ALLOWED = new Evidence(true, false, false, false, false);
  private static final Evidence STRICT = new Evidence(false, false, true, false, false);

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
    return Policies.of(List.of(new Limit(measure, atMost)), evidence);
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
    assertThrows(IllegalArgumentException.class, () -> Policies.of(List.of(), Evidence.NORMAL));
  }

  /** A reader looks for the gate's name in the other reports. */
  @Test
  void aClassHasTheNameThatTheOtherReportsGiveIt() {
    Pins pins =
        new Pins().pin(1, 900, stack(EXECUTE), new AwaitedInitialization("com.example.Table"));
    String text = text(judge(pins, maxPin(50, Evidence.NORMAL)));
    assertTrue(
        text.contains("com.example.Table, for com.example.Db.execute (Db.java:326)\n"), text);
    Findings findings = pins.findings();
    Advice advice = Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, type -> false);
    Report analysis = new Report.Analysis(findings, advice, Detail.BRIEF, List.of());
    String analyzed = Formats.TEXT.write(analysis, Style.PLAIN);
    assertTrue(analyzed.contains("  1  com.example.Table  "), analyzed);
    String named = text(judge(pins(900), maxPin(50, Evidence.NORMAL)));
    assertTrue(named.contains("com.example.Db.execute (Db.java:326)\n"), named);
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
        "app.jfr does not show the unchanged application: it was recorded under a what-if,"
            + " which replaced monitors");
    assertInstanceOf(
        Verdict.Pass.class,
        judge(new Pins().agentOptions("output=rewrite=x"), maxPin(50, Evidence.NORMAL)));
  }

  private static final Evidence UNWATCHED = new Evidence(false, false, false, true, false);
  private static final Evidence HUNG = new Evidence(false, false, false, false, true);

  @Test
  void withoutAWatchNothingIsProvenUnlessAllowed() {
    assertNoData(
        new Pins().unwatched(),
        maxPin(50, Evidence.NORMAL),
        "app.jfr does not show unended pins and blocking in native code: JFR has no event for them,"
            + " and the agent did not sample the carriers; record with vtdiag's agent,"
            + " or pass --allow-unwatched");
    assertInstanceOf(Verdict.NoData.class, judge(new Pins().unwatched(), maxPin(50, INCOMPLETE)));
    Verdict allowed = judge(new Pins().unwatched(), maxPin(50, UNWATCHED));
    assertEquals(1, assertInstanceOf(Verdict.Pass.class, allowed).warnings().size());
    assertInstanceOf(Verdict.Fail.class, judge(pins(80).unwatched(), maxPin(50, UNWATCHED)));
  }

  @Test
  void aWatchThatWasOffOrNeverThereIsSaid() {
    assertTrue(
        text(judge(new Pins().agentOptions("depth=9,watch=off").unwatched(), maxPin(1, UNWATCHED)))
            .contains("and the agent's watch was off (watch=off)\n"));
    assertTrue(
        text(judge(new Pins().noAgent().unwatched(), maxPin(1, UNWATCHED)))
            .contains("and no agent sampled the carriers\n"));
  }

  @Test
  void carriersOfOtherSchedulersHaveNoAccount() {
    Pins pins = new Pins().looked(10, 0, 0, 0, 0).otherCarriers(2, "loop-1, loop-2");
    assertNoData(
        pins,
        policy(Measures.QUEUE, 12, Evidence.NORMAL),
        "app.jfr does not show the time of 2 carriers of other schedulers than the JDK's (loop-1,"
            + " loop-2) and the threads queued for them; their pins are counted");
    assertInstanceOf(Verdict.NoData.class, judge(pins, maxCapacity(0.2)));
    Verdict pass = judge(pins, maxPin(50, Evidence.NORMAL));
    assertEquals(1, assertInstanceOf(Verdict.Pass.class, pass).warnings().size());
    assertInstanceOf(
        Verdict.Fail.class,
        judge(pins(80).otherCarriers(2, "loop-1, loop-2"), maxPin(50, Evidence.NORMAL)));
  }

  @Test
  void aWatchThatStarvedProvesNothing() {
    assertNoData(
        new Pins().blind(30_000),
        maxPin(50, UNWATCHED),
        "app.jfr does not show unended pins and blocking in native code during 30 s of 62 s, when"
            + " the agent's watch could not sample the carriers");
    assertInstanceOf(Verdict.Pass.class, judge(new Pins().blind(5_000), maxPin(50, STRICT)));
  }

  @Test
  void carriersThatAllStayKeptProveNothingHoweverShortTheyWere() {
    Pins kept = new Pins().looks(2, 0, 14);
    kept.unended(1, 600, stack(EXECUTE), method(0, EXECUTE));
    kept.unended(2, 900, stack(EXECUTE), method(0, EXECUTE));
    assertNoData(
        kept,
        maxPin(5_000, UNWATCHED),
        "app.jfr does not show whether the pins on both carriers at its end, with 14 virtual"
            + " threads queued, would ever have ended");
    assertInstanceOf(Verdict.Fail.class, judge(kept, maxPin(700, Evidence.NORMAL)));
    assertInstanceOf(
        Verdict.Pass.class,
        judge(kept.end(RecordingFacts.End.LATER), maxPin(5_000, Evidence.NORMAL)));
  }

  @Test
  void oneOfTwoCarriersKeptOrNobodyWaitingForOneIsNoHang() {
    Pins one = new Pins().looks(1, 0, 14).unended(1, 600, stack(EXECUTE), method(0, EXECUTE));
    assertInstanceOf(Verdict.Pass.class, judge(one, maxPin(5_000, STRICT)));
    Pins nobody = new Pins().looks(2, 0, 0);
    nobody.unended(1, 600, stack(EXECUTE), method(0, EXECUTE));
    nobody.unended(2, 600, stack(EXECUTE), method(0, EXECUTE));
    assertInstanceOf(Verdict.Pass.class, judge(nobody, maxPin(5_000, STRICT)));
  }

  @Test
  void threadsThatWaitWhileACarrierIsIdleProveNothing() {
    assertNoData(
        new Pins().looks(0, 1, 3),
        maxPin(50, UNWATCHED),
        "app.jfr does not show why virtual threads were queued for 61 s: no pin or computation"
            + " explains it");
    // Carriers that compute, however long the queue.
    assertInstanceOf(Verdict.Pass.class, judge(new Pins().looks(0, 0, 500), maxPin(50, STRICT)));
  }

  @Test
  void threadsThatTheSchedulerDoesNotRunToTheEndFail() {
    Pins hung = new Pins().looks(0, 1, 3).hang("NotScheduled", List.of(), "not scheduled: 3");
    Verdict.Fail fail =
        assertInstanceOf(Verdict.Fail.class, judge(hung, maxPin(50, Evidence.NORMAL)));
    assertEquals(List.of("app.jfr: not scheduled: 3"), fail.hangs());
    assertTrue(fail.warnings().stream().noneMatch(said -> said.contains("queued")), fail::toString);
  }

  @Test
  void withoutAWatchAQueueThatNothingExplainsProvesNothingUnlessAllowed() {
    Pins queued = new Pins().unwatched().waiting(18);
    Verdict.NoData none =
        assertInstanceOf(Verdict.NoData.class, judge(queued, maxPin(50, Evidence.NORMAL)));
    assertEquals(2, none.reasons().size(), none::toString);
    Verdict allowed = judge(queued, maxPin(50, UNWATCHED));
    assertEquals(2, assertInstanceOf(Verdict.Pass.class, allowed).warnings().size());
    // At most four seconds in a row.
    Pins seldom = new Pins().unwatched().waiting(18, 1, 1001, 2001, 3001, 9001, 10_001);
    Verdict short18 = judge(seldom, maxPin(50, UNWATCHED));
    assertEquals(1, assertInstanceOf(Verdict.Pass.class, short18).warnings().size());
  }

  @Test
  void aHangFailsWhateverTheLimitsUnlessAllowed() {
    Pins hung = new Pins().hang("deadlock: 2 threads wait for each other", "  a waits for b");
    assertEquals(
        """
        FAIL  the program hung; 0 of 1 limit exceeded
          hung: app.jfr: deadlock: 2 threads wait for each other
        """,
        text(judge(hung, maxPin(3_600_000, ALLOWED))));
    Verdict allowed = judge(hung, maxPin(50, HUNG));
    assertEquals(
        List.of("app.jfr: deadlock: 2 threads wait for each other"),
        assertInstanceOf(Verdict.Pass.class, allowed).warnings());
  }

  @Test
  void aStandstillThatHasEndedIsAWarning() {
    Verdict verdict = judge(new Pins().stoodStill("starved: all 2"), maxPin(50, Evidence.NORMAL));
    assertEquals(
        List.of("app.jfr: stood still for a while: starved: all 2"),
        assertInstanceOf(Verdict.Pass.class, verdict).warnings());
  }

  /** Reports call these harmless, so whoever reads both has to learn why the gate does not. */
  @Test
  void aLongClassLoadingFailsWithTheReasonWhyReportsCallItHarmless() {
    String why =
        "pins over the limit ended once a class was loaded or initialized: analyze calls them"
            + " harmless, and a warm-up leaves out those of the start";
    PinCause.ClassLoading load = new PinCause.ClassLoading(0, EXECUTE);
    Pins pins = new Pins().pin(2, 63, stack(EXECUTE), load);
    Verdict.Fail fail = assertInstanceOf(Verdict.Fail.class, judge(pins, maxPin(50, STRICT)));
    assertEquals(List.of(why), fail.warnings());
    pins.pin(1, 80, stack(EXECUTE), method(0, EXECUTE));
    Verdict.Fail both = assertInstanceOf(Verdict.Fail.class, judge(pins, maxPin(50, STRICT)));
    assertEquals(List.of(), both.warnings());
    assertFalse(
        assertInstanceOf(Verdict.Pass.class, judge(pins, maxPin(90, STRICT)))
            .warnings()
            .contains(why));
  }

  @Test
  void anUnendedPinCountsWithItsLengthSoFar() {
    Pins unended = new Pins().looks(1, 0, 0);
    unended.unended(1, 25_000, stack(EXECUTE), method(0, EXECUTE));
    Verdict.Fail fail =
        assertInstanceOf(Verdict.Fail.class, judge(unended, maxPin(24_000, ALLOWED)));
    assertTrue(text(fail).contains("longest pin 25 s, limit 24 s"), text(fail));
    assertInstanceOf(Verdict.Pass.class, judge(unended, maxPin(25_000, STRICT)));
    assertInstanceOf(Verdict.Fail.class, judge(unended, maxCapacity(0.2)));
  }

  @Test
  void aLimitBelowWhatTheWatchSeesOfNativeCodeIsAWarning() {
    Pins pins = new Pins().watchThresholds(500, 100);
    Verdict verdict = judge(pins, maxPin(50, STRICT));
    assertEquals(
        List.of("app.jfr does not show blocking in native code for less than 100 ms"),
        assertInstanceOf(Verdict.Pass.class, verdict).warnings());
    assertEquals(
        List.of(),
        assertInstanceOf(Verdict.Pass.class, judge(pins, maxPin(100, STRICT))).warnings());
  }

  @Test
  void whatSeveralLimitsDoNotSeeIsSaidOnce() {
    Limit limit = new Limit(Measures.LONGEST_PIN, 50 * MILLI);
    Policy policy = Policies.of(List.of(limit, limit), STRICT);
    assertEquals(
        List.of("app.jfr does not show blocking in native code for less than 100 ms"),
        judge(new Pins().watchThresholds(500, 100), policy).warnings());
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
            "app.jfr does not show pins by monitors: they do not pin on Java 25, so nothing is"
                + " known for Java 21"),
        assertInstanceOf(Verdict.Pass.class, verdict).warnings());
    Verdict both =
        judge(
            new Pins().jdk(25).waited(0),
            Policies.of(
                List.of(new Limit(Measures.STALL, 15e9), new Limit(Measures.COUNT, 5)), STRICT));
    assertEquals(1, assertInstanceOf(Verdict.Pass.class, both).warnings().size());
    Verdict ofWaits = judge(new Pins().jdk(25).waited(0), policy(Measures.STALL, 15e9, STRICT));
    assertEquals(List.of(), assertInstanceOf(Verdict.Pass.class, ofWaits).warnings());
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
        Policies.of(
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
    assertTrue(measure.option().matches("--(max|min)-[a-z-]+"), measure.option());
    assertTrue(measure.description().endsWith("."), measure.description());
    double atMost = measure.unit().parse("1" + (measure.unit() == Unit.DURATION ? "ns" : ""));
    Verdict.Fail fail =
        assertInstanceOf(
            Verdict.Fail.class,
            judge(
                pins(80_000, 80_000).looked(100, 0, 0, 5, 100).waited(31 * Pins.SECOND),
                policy(measure, atMost / 100, Evidence.NORMAL)));
    assertEquals(measure, fail.violations().getFirst().measure());
    boolean ofPins =
        !List.of(Measures.QUEUE, Measures.MONOPOLIZED, Measures.IDLE, Measures.STALL)
            .contains(measure);
    assertEquals(
        ofPins ? Optional.of("com.example.Db.execute (Db.java:326)") : Optional.empty(),
        fail.checks().getFirst().where());
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

  /** Without a watch nobody knows how long the queue was, and no plain recording makes it zero. */
  @Test
  void limitsOnTheAccountProveNothingWithoutItsEvidence() {
    for (Measure measure :
        List.of(Measures.QUEUE, Measures.MONOPOLIZED, Measures.IDLE, Measures.STALL)) {
      Verdict.NoData verdict =
          assertInstanceOf(
              Verdict.NoData.class, judge(new Pins().unwatched(), policy(measure, 0.1, UNWATCHED)));
      assertTrue(verdict.reasons().getFirst().contains("do not show"), verdict.reasons()::toString);
      // Nor does a watch that did not look for it.
      assertInstanceOf(
          Verdict.NoData.class, judge(new Pins(), policy(measure, 0.1, Evidence.NORMAL)));
    }
  }

  @Test
  void aQueueIsLimitedOnAverage() {
    Pins pins = new Pins().looked(90, 0, 0, 12, 0);
    assertInstanceOf(Verdict.Pass.class, judge(pins, policy(Measures.QUEUE, 12, Evidence.NORMAL)));
    Verdict.Fail fail =
        assertInstanceOf(
            Verdict.Fail.class, judge(pins, policy(Measures.QUEUE, 11, Evidence.NORMAL)));
    assertEquals("12", fail.violations().getFirst().figure());
    assertEquals(Optional.empty(), fail.violations().getFirst().where());
  }

  @Test
  void monopolizedIsComputingOnAllCarriersWhileThreadsWait() {
    assertInstanceOf(
        Verdict.Pass.class,
        judge(
            new Pins().looked(0, 0, 100, 12, 100),
            policy(Measures.MONOPOLIZED, 0.05, Evidence.NORMAL)));
    assertInstanceOf(
        Verdict.Fail.class,
        judge(
            new Pins().looked(100, 0, 0, 12, 6),
            policy(Measures.MONOPOLIZED, 0.05, Evidence.NORMAL)));
  }

  @Test
  void idleIsLimitedFromBelow() {
    Pins pins = new Pins().looked(60, 10, 5, 0, 0);
    assertInstanceOf(Verdict.Pass.class, judge(pins, policy(Measures.IDLE, 0.2, Evidence.NORMAL)));
    assertInstanceOf(Verdict.Fail.class, judge(pins, policy(Measures.IDLE, 0.3, Evidence.NORMAL)));
  }

  /** The user's own limit decides, in place of the bound that only asks for a proof. */
  @Test
  void aLimitOnWaitsTakesThePlaceOfTheBound() {
    Findings stood =
        new Pins()
            .waited(31 * Pins.SECOND)
            .findings()
            .withGaps(List.of(new Gap(Gap.Kind.STALLED_AT_END, "app.jfr", "what would end it")));
    Verdict.NoData bound =
        assertInstanceOf(
            Verdict.NoData.class, Gate.judge(stood, policy(Measures.COUNT, 1, Evidence.NORMAL)));
    assertTrue(
        bound
            .reasons()
            .getFirst()
            .startsWith("app.jfr: possible stall: nothing shows what would end it; if it"),
        bound::toString);
    assertInstanceOf(
        Verdict.Pass.class, Gate.judge(stood, policy(Measures.STALL, 60e9, Evidence.NORMAL)));
    assertInstanceOf(
        Verdict.Fail.class, Gate.judge(stood, policy(Measures.STALL, 30e9, Evidence.NORMAL)));
  }

  @Test
  void aPassSaysHowLongTheLongestWaitWas() {
    Findings waited = new Pins().waited(12 * Pins.SECOND).findings();
    Verdict pass = Gate.judge(waited, policy(Measures.COUNT, 1, Evidence.NORMAL));
    String text =
        Formats.TEXT.write(new Report.Judgement(waited, pass, Optional.empty()), Style.PLAIN);
    assertTrue(text.contains("longest wait for another thread at the end 12 s"), text);
  }

  /** Waits of less than five seconds are not recorded, so none proves that there was none. */
  @Test
  void aLimitOnWaitsThatAreNotRecordedProvesNothing() {
    assertInstanceOf(
        Verdict.NoData.class,
        judge(new Pins().waited(0), policy(Measures.STALL, 1e9, Evidence.NORMAL)));
    assertInstanceOf(
        Verdict.Pass.class,
        judge(new Pins().waited(0), policy(Measures.STALL, 5e9, Evidence.NORMAL)));
  }
}
