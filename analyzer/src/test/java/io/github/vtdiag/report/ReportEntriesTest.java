package io.github.vtdiag.report;

import static io.github.vtdiag.analysis.Pins.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.NextSteps;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One list, one numbering, and what a list leaves out is counted. */
class ReportEntriesTest {
  private static final Pattern NUMBERED = Pattern.compile("(?m)^ +(\\d+)  \\S");

  private static Behavior semaphore(int i, boolean limits) {
    return new Finding.Wait(
        WaitKind.SEMAPHORE,
        new Observation(
            "Semaphore",
            Set.of(),
            Optional.of(frame("com.example.Orders", "take" + i, 3, 40)),
            Optional.empty(),
            new Owner.Application("app.jar"),
            new Observation.Amount(Observation.Unit.THREAD_NANOS, (100 - i) * 1e9, true),
            60,
            Optional.of(new Observation.AtOnce(100 - i, 100, 0.5)),
            limits,
            List.of(),
            new Observation.Evidence(List.of("vtdiag.WaitCrowd"), 60, OptionalLong.empty())));
  }

  private static Findings findings(int pins, int waits, boolean limits) {
    Pins made = new Pins();
    for (int i = 1; i <= pins; i++) {
      var each = frame("com.example.C" + i, "run", 1, 1);
      made.pin(1, 100 - i, Pins.stack(each), Pins.method(0, each));
    }
    List<Behavior> all = new ArrayList<>();
    for (int i = 0; i < waits; i++) {
      all.add(semaphore(i, limits));
    }
    return made.findings().withBehaviors(all);
  }

  private static Advice advice(Findings findings) {
    return Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, type -> false);
  }

  private static String text(Findings findings, Detail detail, boolean advise) {
    Advice advice = advice(findings);
    Report report =
        advise
            ? new Report.Recommendations(findings, advice, detail, Optional.empty(), NextSteps.NONE)
            : new Report.Analysis(findings, advice, detail, List.of());
    return Formats.TEXT.write(report, Style.PLAIN);
  }

  private static List<Integer> numbers(String text) {
    return NUMBERED.matcher(text).results().map(of -> Integer.valueOf(of.group(1))).toList();
  }

  @ParameterizedTest
  @EnumSource
  void everyNumberIsThereOnce(Detail detail) {
    for (boolean advise : new boolean[] {false, true}) {
      String text = text(findings(3, 4, true), detail, advise);
      assertEquals(List.of(1, 2, 3, 4, 5, 6, 7), numbers(text), text);
    }
  }

  @ParameterizedTest
  @EnumSource
  void fourteenWaitsAreAllListed(Detail detail) {
    String text = text(findings(0, 14, true), detail, false);
    assertTrue(text.contains("take13"), text);
    assertEquals(14, numbers(text).size(), text);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsCutIsCounted(Detail detail) {
    for (boolean advise : new boolean[] {false, true}) {
      String text = text(findings(4, 23, true), detail, advise);
      assertEquals(Report.MOST, numbers(text).size(), text);
      assertTrue(
          text.contains("  7 more: 4 of pins, 390 ms together, and 3 of waits and misuse. --json"),
          text);
    }
  }

  @Test
  void whatDidNotLimitTheProgramIsCountedOrListedLast() {
    Findings findings = findings(2, 3, false);
    String brief = text(findings, Detail.BRIEF, false);
    assertFalse(brief.contains("take0"), brief);
    assertTrue(brief.contains("  Also found: 3 findings that did not limit"), brief);
    String full = text(findings, Detail.FULL, false);
    assertTrue(full.indexOf("com.example.C2.run") < full.indexOf("take0"), full);
    assertFalse(full.contains("Also found"), full);
  }

  /** Threads wait for an asynchronous client, and nothing else is to be found. */
  @Test
  void resultsThatMostThreadsWaitForAreTheFirstEntryIfNothingElseLimits() {
    Behavior result =
        new Finding.Wait(
            WaitKind.FUTURE,
            new Observation(
                "CompletableFuture",
                Set.of(),
                Optional.of(frame("com.example.Sessions", "touch", 20, 52)),
                Optional.empty(),
                new Owner.Application("app.jar"),
                new Observation.Amount(Observation.Unit.THREAD_NANOS, 35e12, true),
                60,
                Optional.of(new Observation.AtOnce(76, 99, 0.99)),
                false,
                List.of(),
                new Observation.Evidence(List.of("vtdiag.WaitCrowd"), 60, OptionalLong.empty())));
    Findings idle = new Pins().looked(5, 0, 0, 0, 0).findings();
    Findings late = idle.withBehaviors(List.of(result));
    for (boolean advise : new boolean[] {false, true}) {
      String text = text(late, Detail.BRIEF, advise);
      assertTrue(text.contains("a result on average: CompletableFuture in com.example.Se"), text);
      assertTrue(text.contains("  1  "), text);
      assertTrue(text.contains("If that is too slow, find out why"), text);
      assertFalse(text.contains("did not limit"), text);
    }
    String limited =
        text(idle.withBehaviors(List.of(result, semaphore(0, true))), Detail.BRIEF, false);
    assertTrue(limited.contains("Also found: 1 finding that did not limit"), limited);
  }

  @Test
  void theVerdictsFindingIsTheFirst() {
    Findings findings = findings(2, 1, true);
    ReportEntries entries = new ReportEntries(findings, advice(findings));
    assertEquals(1, entries.number(findings.behaviors().getFirst()));
  }

  /** All threads at the lock wait for a thread that waits for a carrier. */
  @Test
  void whatKeptAllCarriersAtTheEndComesBeforeTheWaitsForIt() {
    var read = frame("com.example.Driver", "read", 20, 52);
    var other = frame("com.example.Other", "read", 20, 52);
    for (int unended : new int[] {1, 2}) {
      Pins made = new Pins().looks(2, 0, 1).pin(9, 70, Pins.stack(other), Pins.method(0, other));
      for (int thread = 1; thread <= 2; thread++) {
        if (thread <= unended) {
          made.unended(thread, 33_000, Pins.stack(read), Pins.method(0, read));
        } else {
          made.pin(thread, 33_000, Pins.stack(read), Pins.method(0, read));
        }
      }
      Findings findings = made.findings().withBehaviors(List.of(semaphore(0, true)));
      List<ReportEntries.Entry> all = new ReportEntries(findings, advice(findings)).all();
      assertEquals(unended == 2, all.getFirst() instanceof ReportEntries.Entry.Pins, "" + all);
      assertEquals(3, all.size());
    }
  }

  /** A pool whose objects are lost only stalls later if it is larger, on any Java. */
  @Test
  void aLostObjectIsToBeFound() {
    var borrow = frame("org.apache.commons.pool.impl.GenericObjectPool", "borrowObject", 8, 30);
    PinCause waits = new PinCause.ObjectWait(borrow, "");
    for (boolean ended : new boolean[] {true, false}) {
      Pins made = new Pins().owner(borrow.type().name(), new Owner.UnknownJar("all.jar"));
      Findings findings =
          (ended
                  ? made.pin(1, 33_000, Pins.stack(borrow), waits)
                  : made.unended(1, 33_000, Pins.stack(borrow), waits))
              .findings();
      for (boolean advise : new boolean[] {false, true}) {
        String text = text(findings, Detail.BRIEF, advise);
        assertEquals(!ended, text.contains("takes objects and does not give them back"), text);
        assertEquals(ended, text.contains("gains only from more objects"), text);
      }
    }
  }

  /** Nobody lost an object where its holder only needs a carrier to give it back. */
  @Test
  void anObjectWhoseHolderNeedsACarrierIsNotLost() {
    var borrow = frame("org.apache.commons.pool.impl.GenericObjectPool", "borrowObject", 8, 30);
    Findings findings =
        new Pins()
            .owner(borrow.type().name(), new Owner.UnknownJar("all.jar"))
            .unended(1, 33_000, Pins.stack(borrow), new PinCause.ObjectWait(borrow, ""))
            .hang("DeadlockByPinning", List.of(), "deadlock by pinning")
            .findings();
    for (boolean advise : new boolean[] {false, true}) {
      String text = text(findings, Detail.BRIEF, advise);
      assertFalse(text.contains("takes objects and does not give them back"), text);
      assertTrue(text.contains("without the pin they wait only while all objects"), text);
    }
  }

  private static Findings fullQueue(long pinnedMillis, boolean producersPin) {
    var put = frame("com.example.Orders", "put", 3, 40);
    var write = frame("com.example.Audit", "write", 20, 52);
    Pins made = new Pins();
    for (long thread = 1; thread <= 4; thread++) {
      made.pin(
          thread,
          pinnedMillis,
          producersPin ? Pins.stack(write, put) : Pins.stack(write),
          Pins.method(0, write));
    }
    Behavior waits =
        new Finding.Wait(
            WaitKind.FULL_QUEUE,
            new Observation(
                "LinkedBlockingQueue",
                Set.of(),
                Optional.of(put),
                Optional.empty(),
                new Owner.Application("app.jar"),
                new Observation.Amount(Observation.Unit.THREAD_NANOS, 35e12, true),
                60,
                Optional.of(new Observation.AtOnce(35, 40, 0.5)),
                true,
                List.of(),
                new Observation.Evidence(List.of("vtdiag.WaitCrowd"), 60, OptionalLong.empty())));
    return made.findings().withBehaviors(List.of(waits));
  }

  /** A queue is full because its consumers are pinned: to make those faster is the remedy. */
  @Test
  void pinnedConsumersComeBeforeTheFullQueue() {
    long most = fullQueue(1, false).recordings().getFirst().durationNanos() / 1_000_000 * 9 / 10;
    Findings findings = fullQueue(most, false);
    String text = text(findings, Detail.BRIEF, false);
    assertTrue(text.contains("  Threads were pinned at com.example.Audit.write for 90% of"), text);
    assertTrue(text.contains("probably the consumers of a full queue: 35 virtual thr"), text);
    assertTrue(text.contains("  1  com.example.Audit.write  "), text);
    assertEquals(
        2, new ReportEntries(findings, advice(findings)).number(findings.behaviors().getFirst()));
    for (Findings other : List.of(fullQueue(100, false), fullQueue(most, true))) {
      assertFalse(text(other, Detail.BRIEF, false).contains("probably the consumers"));
      assertEquals(1, new ReportEntries(other, advice(other)).number(other.behaviors().getFirst()));
    }
  }
}
