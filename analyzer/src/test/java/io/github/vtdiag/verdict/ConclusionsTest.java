package io.github.vtdiag.verdict;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.analysis.BehaviorKind;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.report.words.AccountWords;
import io.github.vtdiag.waits.Awaited.Trait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ConclusionsTest {
  private static final Frame PARK = frame("java.lang.VirtualThread", "park", 7, 582);
  private static final Frame WORK = frame("com.example.Db", "execute", 20, 326);

  private static Conclusion of(Pins pins) {
    return Conclusions.of(pins.findings());
  }

  private static Behavior other(BehaviorKind kind, boolean limits, Trait... traits) {
    return behavior(
        kind,
        new Observation(
            "HikariPool (10)",
            Set.of(traits),
            Optional.empty(),
            Optional.empty(),
            new Owner.Jdk(),
            new Observation.Amount(Observation.Unit.THREAD_NANOS, 1e9, true),
            1,
            Optional.of(new Observation.AtOnce(490, 499, 0.98)),
            limits,
            List.of(),
            new Observation.Evidence(List.of("vtdiag.Waits"), 1, OptionalLong.empty())));
  }

  /** Idle carriers are no good sign where the program may have stood still. */
  @Test
  void aPossibleStallComesBeforeWhatThreadsWaitedFor() {
    Gap stall = new Gap(Gap.Kind.STALLED_AT_END, "app.jfr", "what would end the waits");
    Findings pool = new Pins().findings().withBehaviors(List.of(other(WaitKind.POOL, true)));
    Findings findings = pool.withGaps(List.of(stall));
    assertEquals(Bottleneck.NOT_KNOWN, Conclusions.of(findings).kind());
    assertEquals(Optional.of(stall), Conclusions.of(findings).stall());
    assertEquals(
        "Possible stall: nothing shows what would end the waits.",
        AccountWords.verdict(Conclusions.of(findings), findings));
    assertEquals(Optional.empty(), Conclusions.of(pool).stall());
  }

  private static Bottleneck withStall(Pins pins, long seconds) {
    Gap stall = Gap.stalled("app.jfr", "what would end the waits", seconds * 1_000_000_000L);
    return Conclusions.of(pins.findings().withGaps(List.of(stall))).kind();
  }

  /** Threads may wait for those that compute all the time. */
  @Test
  void aPossibleStallDoesNotComeBeforeCarriersThatWereBusyMeanwhile() {
    assertEquals(Bottleneck.COMPUTATION, withStall(new Pins().looked(80, 10, 10, 3, 90), 40));
  }

  @Test
  void aStallOfAPartOfTheTimeDoesNotComeBeforeCarriersThatWereTheLimit() {
    assertEquals(
        Bottleneck.PINNED, withStall(new Pins().looked(5, 5, 70, 30, 75).idleUntil(40), 20));
  }

  @Test
  void aPossibleStallComesBeforeCarriersThatWereBusyAtOtherTimes() {
    assertEquals(
        Bottleneck.NOT_KNOWN, withStall(new Pins().looked(5, 5, 70, 30, 75).idleUntil(40), 40));
  }

  @Test
  void withoutAWatchItIsNotKnown() {
    Conclusion conclusion = of(new Pins().unwatched());
    assertEquals(Bottleneck.NOT_KNOWN, conclusion.kind());
    assertTrue(conclusion.why().contains(Missing.WATCH));
    assertFalse(conclusion.carriers());
  }

  /** An agent that did not add up what the carriers are at. */
  @Test
  void aWatchThatTellsNothingOfTheCarriersIsNone() {
    assertEquals(Bottleneck.NOT_KNOWN, of(new Pins()).kind());
  }

  @Test
  void carriersThatAreBusyAreNoLimitWhereNobodyWaits() {
    assertEquals(Bottleneck.NOTHING_TO_CHANGE, of(new Pins().looked(95, 0, 0, 0, 0)).kind());
  }

  /** Threads may have waited whenever nobody looked. */
  @Test
  void whatNobodySawMayHaveBeenTheLimit() {
    assertEquals(Bottleneck.NOTHING_TO_CHANGE, of(new Pins().looked(40, 0, 0, 40, 0, 0)).kind());
    for (Pins pins :
        List.of(new Pins().looked(30, 0, 0, 18, 0, 0), new Pins().looked(20, 0, 0, 40, 3, 20))) {
      Conclusion conclusion = of(pins);
      assertEquals(Bottleneck.NOT_KNOWN, conclusion.kind());
      assertTrue(conclusion.why().contains(Missing.LOOKS));
    }
  }

  @Test
  void threadsThatWaitForAMomentAreNone() {
    assertEquals(Bottleneck.NOTHING_TO_CHANGE, of(new Pins().looked(60, 10, 5, 3, 40)).kind());
  }

  @Test
  void whatCarriersAreAtWhileThreadsWaitIsTheLimit() {
    assertEquals(Bottleneck.COMPUTATION, of(new Pins().looked(80, 10, 10, 3, 90)).kind());
    assertEquals(Bottleneck.NATIVE_CODE, of(new Pins().looked(10, 80, 10, 3, 90)).kind());
    Conclusion pinned = of(new Pins().looked(10, 10, 80, 3, 90));
    assertEquals(Bottleneck.PINNED, pinned.kind());
    assertTrue(pinned.carriers());
    assertTrue(pinned.sure());
    assertEquals(0.8, pinned.part(), 1e-9);
  }

  @Test
  void pinsThatFillAllCarriersAreLikelyToBeTheLimitWhereNobodyLooked() {
    Pins pins = new Pins().unwatched();
    for (int second = 1; second <= 61; second++) {
      pins.pin(1, 1000, stack(PARK, WORK), method(1, WORK));
      pins.pin(2, 1000, stack(PARK, WORK), method(1, WORK));
    }
    Conclusion conclusion = of(pins);
    assertEquals(Bottleneck.PINNED, conclusion.kind());
    assertFalse(conclusion.sure());
  }

  /** Of 99 seconds that the watch saw pinned. */
  private static Optional<Culprit> culprit(Pins pins) {
    Conclusion conclusion = of(pins.looked(10, 10, 80, 3, 90));
    assertEquals(Bottleneck.PINNED, conclusion.kind());
    return conclusion.culprit();
  }

  @Test
  void nobodyIsToBlameForLessThanHalfOfThePinnedTime() {
    assertEquals(Optional.empty(), culprit(new Pins()));
    assertEquals(
        Optional.empty(), culprit(new Pins().pin(1, 40_000, stack(PARK, WORK), method(1, WORK))));
    Frame other = frame("com.example.Cache", "get", 20, 40);
    assertEquals(
        Optional.empty(),
        culprit(
            new Pins()
                .pin(1, 40_000, stack(PARK, WORK), method(1, WORK))
                .pin(2, 41_000, stack(PARK, other), method(1, other))));
  }

  @Test
  void whatIsNotKnownIsNotNamed() {
    assertEquals(
        Optional.empty(),
        culprit(new Pins().pin(1, 60_000, stack(PARK, WORK), new PinCause.Unexplained("why"))));
  }

  @Test
  void whatDoesNotPinHasNoCulprit() {
    Pins pins = new Pins().pin(1, 60_000, stack(PARK, WORK), method(1, WORK));
    Conclusion computes = of(pins.looked(80, 10, 10, 3, 90));
    assertEquals(Bottleneck.COMPUTATION, computes.kind());
    assertEquals(Optional.empty(), computes.culprit());
  }

  @Test
  void whatTookMostOfThePinnedTimeIsNamed() {
    Pins pins = new Pins().pin(1, 60_000, stack(PARK, WORK), method(1, WORK));
    Culprit alone = culprit(pins).orElseThrow();
    assertEquals(WORK.qualifiedMethod(), alone.finding().title());
    assertTrue(alone.alone());
    Frame other = frame("com.example.Cache", "get", 20, 40);
    Culprit most = culprit(pins.pin(2, 10_000, stack(PARK, other), method(1, other))).orElseThrow();
    assertEquals(WORK.qualifiedMethod(), most.finding().title());
    assertFalse(most.alone());
  }

  /** Neither the holders nor those who wait took half of it. */
  @Test
  void thoseInsideAMonitorAndThoseThatWaitForItHaveOneCause() {
    Frame enters = frame("com.example.Db", "execute", 0, 320);
    Culprit both =
        culprit(
                new Pins()
                    .pin(1, 30_000, stack(PARK, WORK), method(1, WORK))
                    .pin(2, 31_000, stack(enters), new PinCause.MonitorEntry(enters, "")))
            .orElseThrow();
    assertEquals(WORK.qualifiedMethod(), both.finding().title());
  }

  private static Pins shortPins(Pins to, int holding, int entering) {
    Frame enters = frame("com.example.Db", "execute", 0, 320);
    for (int i = 0; i < holding; i++) {
      to.pin(1, 5, stack(PARK, WORK), method(1, WORK));
    }
    for (int i = 0; i < entering; i++) {
      to.pin(2, 5, stack(enters), new PinCause.MonitorEntry(enters, ""));
    }
    return to;
  }

  /** Reports list such pins as short and harmless. */
  @Test
  void harmlessPinsAreNotNamedAsTheBottleneck() {
    for (Pins pins :
        List.of(
            // Nobody saw what the carriers were at most of the time.
            shortPins(new Pins(), 200, 0).looked(1, 0, 1, 0, 0, 3, 60),
            shortPins(new Pins(), 200, 200).looked(1, 0, 2, 0, 0, 3, 60))) {
      Findings findings = pins.findings();
      Conclusion conclusion = Conclusions.of(findings);
      assertNotEquals(Bottleneck.PINNED, conclusion.kind());
      String verdict = AccountWords.verdict(conclusion, findings);
      assertFalse(verdict.contains("com.example.Db"), verdict);
    }
  }

  @Test
  void pinsThatAreHarmfulTogetherAreTheBottleneckWithoutAName() {
    Pins pins = shortPins(new Pins(), 240, 240).looked(2, 0, 40, 3, 60);
    assertEquals(Bottleneck.PINNED, of(pins).kind());
    assertEquals(Optional.empty(), of(pins).culprit());
  }

  @Test
  void theFindingOfThePlaceThatIsNotHarmlessIsNamed() {
    // A long one, and none that takes more.
    Pins pins = shortPins(new Pins(), 200, 0);
    Frame enters = frame("com.example.Db", "execute", 0, 320);
    pins.pin(2, 900, stack(enters), new PinCause.MonitorEntry(enters, ""));
    Conclusion conclusion = of(pins.looked(1, 0, 1, 98, 3, 50));
    assertEquals(Bottleneck.PINNED, conclusion.kind());
    assertEquals(PinKind.MONITOR_ENTRY, conclusion.culprit().orElseThrow().finding().site().kind());
    // Ten times as many of the short ones are not harmless.
    Culprit many = of(shortPins(new Pins(), 2000, 0).looked(1, 0, 8, 91, 3, 50)).culprit().get();
    assertEquals(PinKind.SYNCHRONIZED_METHOD, many.finding().site().kind());
  }

  @Test
  void whatElseLimitsIsNamedWhereCarriersWereNotShort() {
    Findings idle = new Pins().looked(5, 0, 0, 0, 0).findings();
    Behavior pool = other(WaitKind.POOL, true);
    Conclusion conclusion = Conclusions.of(idle.withBehaviors(List.of(pool)));
    assertEquals(Bottleneck.POOL, conclusion.kind());
    assertEquals(Optional.of(pool), conclusion.other());
    assertFalse(conclusion.carriers());
    Findings full = new Pins().looked(100, 0, 0, 9, 100).findings();
    assertEquals(Bottleneck.COMPUTATION, Conclusions.of(full.withBehaviors(List.of(pool))).kind());
  }

  private static Behavior poolOf(String lock) {
    Observation seen = other(WaitKind.POOL, true).seen();
    return behavior(
        WaitKind.POOL,
        new Observation(
            seen.subject(),
            seen.traits(),
            seen.site(),
            seen.inside(),
            seen.owner(),
            seen.amount(),
            seen.count(),
            seen.atOnce(),
            seen.limits(),
            List.of(Observation.Detail.of(Observation.LOCK_OF_USERS, lock)),
            seen.evidence()));
  }

  private static Behavior lockAt(Frame inside) {
    return behavior(
        WaitKind.MONITOR,
        new Observation(
            "monitor",
            Set.of(),
            Optional.empty(),
            Optional.of(inside),
            new Owner.Jdk(),
            new Observation.Amount(Observation.Unit.THREAD_NANOS, 1e8, true),
            1,
            Optional.of(new Observation.AtOnce(8, 10, 0.2)),
            true,
            List.of(),
            new Observation.Evidence(List.of("vtdiag.Waits"), 1, OptionalLong.empty())));
  }

  /** Many more threads wait for the pool than for the lock. */
  @Test
  void theLockThatAPoolsUsersWaitForIsTheBottleneck() {
    Findings idle = new Pins().jdk(25).looked(5, 0, 0, 0, 0).findings();
    Behavior pool = poolOf(WORK.qualifiedMethod());
    Behavior lock = lockAt(WORK);
    Findings findings = idle.withBehaviors(List.of(pool, lock));
    assertEquals(pool, findings.behaviors().getFirst());
    Conclusion conclusion = Conclusions.of(findings);
    assertEquals(Bottleneck.LOCK, conclusion.kind());
    assertEquals(Optional.of(lock), conclusion.other());
    // Another lock is not their cause.
    Behavior another = lockAt(frame("com.example.Cache", "get", 20, 40));
    assertEquals(
        Bottleneck.POOL, Conclusions.of(idle.withBehaviors(List.of(pool, another))).kind());
    assertEquals(
        Bottleneck.POOL,
        Conclusions.of(idle.withBehaviors(List.of(other(WaitKind.POOL, true), lock))).kind());
  }

  @Test
  void theMonitorAtWhichAPoolsUsersArePinnedIsTheCause() {
    Frame enters = frame("com.example.Db", "execute", 0, 320);
    Pins pins = new Pins().looked(5, 0, 20, 0, 0);
    for (int thread = 1; thread <= 8; thread++) {
      pins.pin(thread, 50_000, stack(enters), new PinCause.MonitorEntry(enters, ""));
    }
    Findings findings = pins.findings().withBehaviors(List.of(poolOf("com.example.Db.execute")));
    Conclusion conclusion = Conclusions.of(findings);
    assertEquals(Bottleneck.POOL, conclusion.kind());
    assertEquals(PinKind.MONITOR_ENTRY, conclusion.culprit().orElseThrow().finding().kind());
    String verdict = AccountWords.verdict(conclusion, findings);
    assertTrue(
        verdict.contains(
            "Threads that have most of a pool's objects wait for the monitor of"
                + " com.example.Db.execute, so 490 virtual threads"),
        verdict);
    assertEquals(
        Optional.empty(),
        Conclusions.of(pins.findings().withBehaviors(List.of(other(WaitKind.POOL, true))))
            .culprit());
  }

  /** The demo on a slow machine: half of the recording is the start of the program. */
  @Test
  void aSlowStartDoesNotHideWhatLimitsTheProgramAfterwards() {
    Conclusion late = of(new Pins().looked(5, 5, 70, 30, 75).idleUntil(40));
    assertEquals(Bottleneck.PINNED, late.kind());
    assertTrue(late.carriers());
    // A burst is none, though it is all the work that there was.
    assertEquals(
        Bottleneck.NOTHING_TO_CHANGE, of(new Pins().looked(5, 5, 70, 30, 75).idleUntil(58)).kind());
    // Carriers that are half idle while they work are none either.
    assertEquals(Bottleneck.SOME_PINS, of(new Pins().looked(5, 5, 40, 3, 40).idleUntil(20)).kind());
  }

  /** A limit that somebody chose, and that costs nothing. */
  @Test
  void whatDoesNotLimitIsNoVerdict() {
    Findings idle = new Pins().looked(5, 0, 0, 0, 0).findings();
    assertEquals(
        Bottleneck.NOTHING_TO_CHANGE,
        Conclusions.of(idle.withBehaviors(List.of(other(WaitKind.SEMAPHORE, false)))).kind());
  }

  /** All threads wait for the one connection of a client whose methods return futures. */
  @Test
  void lateResultsAreTheVerdictIfNothingElseIs() {
    Findings idle = new Pins().looked(5, 0, 0, 0, 0).findings();
    Behavior result = other(WaitKind.FUTURE, false, Trait.COMPLETABLE);
    Findings late = idle.withBehaviors(List.of(result));
    assertEquals(Bottleneck.OTHER_THREADS, Conclusions.of(late).kind());
    assertEquals(Optional.of(result), Conclusions.of(late).other());
    assertEquals(
        "The carriers were not the bottleneck: they were idle 95% of the time, and almost no"
            + " virtual thread was queued. 490 virtual threads (98% of all) were waiting for a"
            + " result on average: HikariPool (10).",
        AccountWords.verdict(Conclusions.of(late), late));
    Behavior answer = other(WaitKind.REMOTE, true);
    assertEquals(
        Bottleneck.REMOTE_ANSWERS,
        Conclusions.of(idle.withBehaviors(List.of(result, answer))).kind());
    Findings pins = new Pins().looked(5, 0, 20, 0, 0).findings();
    assertEquals(Bottleneck.SOME_PINS, Conclusions.of(pins.withBehaviors(List.of(result))).kind());
  }

  /** The children are among the threads, and a signal may be that there is work. */
  @ParameterizedTest
  @EnumSource(names = {"JOIN", "FORK_JOIN", "LASTING"})
  void threadsThatWaitForChildrenOrForTheFirstResultAreNoVerdict(Trait trait) {
    Findings idle = new Pins().looked(5, 0, 0, 0, 0).findings();
    for (Behavior wait :
        List.of(other(WaitKind.FUTURE, false, trait), other(WaitKind.SIGNAL, false))) {
      assertEquals(
          Bottleneck.NOTHING_TO_CHANGE, Conclusions.of(idle.withBehaviors(List.of(wait))).kind());
    }
  }

  @Test
  void pinsThatAreNoLimitAreSaid() {
    assertEquals(Bottleneck.SOME_PINS, of(new Pins().looked(5, 0, 20, 0, 0)).kind());
  }

  @Test
  void pinsThatTakeHalfOfTheTimeAreTheLimitIfOthersWaitNowAndThen() {
    Conclusion pinned = of(new Pins().looked(5, 5, 58, 3, 40));
    assertEquals(Bottleneck.PINNED, pinned.kind());
    assertTrue(pinned.carriers());
    for (Pins none :
        List.of(
            new Pins().looked(5, 5, 58, 0, 0),
            new Pins().looked(5, 5, 58, 3, 5),
            new Pins().looked(5, 5, 40, 3, 40))) {
      assertEquals(Bottleneck.SOME_PINS, of(none).kind());
    }
  }

  @Test
  void aHangComesBeforeAll() {
    Pins pins = new Pins().looked(100, 0, 0, 9, 100);
    assertEquals(Bottleneck.HUNG, of(pins.hang("two threads wait for each other")).kind());
  }

  @ParameterizedTest
  @EnumSource
  void eachHasItsSection(Bottleneck kind) throws Exception {
    String page = Files.readString(Path.of("..", "docs", "verdicts.md"));
    String row =
        page.lines().filter(line -> line.contains("`" + kind + "`")).findFirst().orElseThrow();
    String anchor = row.substring(row.indexOf("(#") + 2, row.indexOf(')', row.indexOf("(#")));
    assertTrue(
        page.lines()
            .filter(line -> line.startsWith("## "))
            .map(line -> line.substring(3).toLowerCase(Locale.ROOT))
            .map(line -> line.replace(",", "").replace("/", "").replace(' ', '-'))
            .collect(Collectors.toSet())
            .contains(anchor),
        anchor);
  }

  private static Behavior behavior(BehaviorKind kind, Observation seen) {
    return kind instanceof WaitKind wait
        ? new Finding.Wait(wait, seen)
        : new Finding.Misuse(kind, seen);
  }
}
