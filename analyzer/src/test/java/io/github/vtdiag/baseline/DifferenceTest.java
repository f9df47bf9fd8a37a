package io.github.vtdiag.baseline;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.SECOND;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.BehaviorKind;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.findings.MisuseKind;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.Events;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DifferenceTest {
  private static final Frame DB = frame("com.example.Db", "execute", 20, 326);

  private static Pins pins(int count, long millis) {
    return pins(new Pins(), DB, count, millis);
  }

  private static Pins pins(Pins to, Frame frame, int count, long millis) {
    for (int i = 0; i < count; i++) {
      to.pin(1, millis, stack(frame), method(0, frame));
    }
    return to;
  }

  private static Difference difference(Pins before, Pins after) {
    return Difference.of(
        RunSummary.of("before", before.findings()),
        RunSummary.of("after", after.findings()),
        Tolerance.NORMAL);
  }

  private static List<String> changes(Pins before, Pins after) {
    return difference(before, after).changes().stream()
        .filter(Change::notable)
        .map(change -> change.kind() + " " + change.identity().number() + " " + change.in())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    // The longest may double and take 500 ms more, the count may double and ten more be there.
    "20, 50, 20, 90, SAME 1 []",
    "20, 50, 50, 50, SAME 1 []",
    "4, 50, 4, 600, SAME 1 []",
    "4, 50, 4, 601, WORSE 1 [LONGEST]",
    "5, 50, 5, 120, SAME 1 []",
    "5, 50, 5, 121, WORSE 1 [MEDIAN]",
    "20, 50, 20, 121, WORSE 1 [MEDIAN]",
    "20, 50, 51, 50, WORSE 1 [COUNT]",
    "4, 601, 4, 50, BETTER 1 [LONGEST]",
    "51, 50, 20, 50, BETTER 1 [COUNT]",
  })
  void whatChanceExplainsIsTheSame(
      int count, long millis, int count2, long millis2, String change) {
    assertEquals(List.of(change), changes(pins(count, millis), pins(count2, millis2)));
  }

  private static final Frame QUOTE = frame("com.example.Quotes", "find", 4, 12);

  @ParameterizedTest
  @CsvSource({
    // The costliest monitor was freed, so five times as much comes to the next one.
    "600, 100, 100, 0, 500, 3000, BETTER",
    // The same, where nothing tells how much was done: then less carrier time must be blocked.
    "0, 0, 100, 0, 500, 0, WORSE",
    "0, 100, 20, 0, 60, 0, BETTER",
    // More of a load, and nothing else.
    "600, 0, 100, 0, 500, 3000, SAME",
    // Less of a load is no fix.
    "3000, 0, 500, 0, 100, 600, SAME",
    // It pins more often for each piece of work.
    "600, 0, 100, 0, 500, 600, WORSE",
    // Carriers are free, and less is done.
    "600, 300, 0, 0, 0, 200, MIXED",
  })
  void theWholeComesFirst(
      long workBefore,
      int quotesBefore,
      int dbBefore,
      int quotesAfter,
      int dbAfter,
      long workAfter,
      WholeChange.Verdict verdict) {
    Pins before = pins(pins(new Pins(), QUOTE, quotesBefore, 600), DB, dbBefore, 60);
    Pins after = pins(pins(new Pins(), QUOTE, quotesAfter, 600), DB, dbAfter, 60);
    if (workBefore > 0) {
      before.work(Totals.THREADS, workBefore);
      after.work(Totals.THREADS, workAfter);
    }
    assertEquals(verdict, difference(before, after).verdict());
  }

  /** A shorter queue is no gain where less was done; with as much work, or more, it is one. */
  @ParameterizedTest
  @CsvSource({"200, MIXED", "600, BETTER", "900, BETTER"})
  void aShorterQueueWithLessWorkIsNotBetter(double workAfter, WholeChange.Verdict verdict) {
    WholeChange whole =
        new WholeChange(
            new WholeChange.Pair(0.5, 0.5 * workAfter / 600),
            Optional.of(new WholeChange.Pair(13, 1)),
            Optional.of(new WholeChange.Work(Set.of(), new WholeChange.Pair(600, workAfter))));
    assertEquals(verdict, whole.verdict());
    assertTrue(whole.isDecidedByQueue());
  }

  @Test
  void whatPinsMoreBecauseMorePassesIsSaidToBeThat() {
    Difference difference =
        difference(
            pins(100, 60).work(Totals.THREADS, 600), pins(500, 60).work(Totals.THREADS, 3000));
    assertEquals(
        List.of("SAME true [COUNT]"),
        difference.changes().stream()
            .map(change -> change.kind() + " " + change.dueToWork() + " " + change.in())
            .toList());
    assertEquals(List.of(), difference.notable(Change.Kind.WORSE));
  }

  @Test
  void methodsThatWereCountedTellTheWorkRatherThanThreads() {
    String place = "com.example.Shop#order";
    WholeChange whole =
        difference(
                pins(100, 60).work(Totals.THREADS, 600).work(place, 6000),
                pins(100, 60).work(Totals.THREADS, 600).work(place, 12000))
            .whole()
            .orElseThrow();
    assertEquals(2, whole.moreWork());
    assertEquals(Set.of(place), whole.work().orElseThrow().methods());
    // Too few to tell.
    assertEquals(
        Optional.empty(),
        difference(pins(1, 60).work(place, 19), pins(1, 60).work(place, 190))
            .whole()
            .orElseThrow()
            .work());
  }

  @Test
  void aFewShortPinsThatOnlyOneRunHasMayBeChance() {
    assertEquals(List.of(), changes(new Pins(), pins(2, 50)));
    assertEquals(List.of(), changes(pins(10, 10), new Pins()));
    assertEquals(List.of("NEW 1 []"), changes(new Pins(), pins(1, 101)));
    assertEquals(List.of("NEW 1 []"), changes(new Pins(), pins(11, 1)));
    assertEquals(List.of("GONE 1 []"), changes(pins(11, 1), new Pins()));
  }

  @Test
  void aNewOneBeforeAnAcceptedOneInTheSameMethodIsNew() {
    Frame first = frame("com.example.Db", "lambda$run$0", 20, 326);
    Frame second = frame("com.example.Db", "lambda$run$1", 20, 326);
    Pins before = pins(new Pins(), first, 5, 900);
    // The one that was there has another number now, and the new one has its.
    Pins after = pins(pins(new Pins(), first, 30, 10), second, 5, 900);
    assertEquals(List.of("NEW 1 []", "SAME 2 []"), changes(before, after));
    Pins shifted = pins(new Pins(), second, 5, 900);
    assertEquals(List.of("SAME 1 []"), changes(before, shifted));
  }

  @Test
  void runsThatWereRecordedOtherwiseCannotBeCompared() {
    assertEquals(List.of(), difference(pins(1, 5), pins(1, 5)).obstacles());
    assertEquals(
        List.of("Java 21 ran before, and 25 after"),
        difference(pins(1, 5), pins(1, 5).jdk(25)).obstacles());
    assertEquals(
        List.of(
            "jdk.VirtualThreadPinned was recorded whole before, and recorded from 20 ms on after"),
        difference(pins(1, 5), pins(1, 50).setting(Events.PINNED, true, 20 * MILLI, true))
            .obstacles());
    assertEquals(
        List.of("jdk.VirtualThreadPinned was off before, and recorded whole after"),
        difference(pins(1, 5).setting(Events.PINNED, false, 0, true), pins(1, 5)).obstacles());
    assertEquals(
        List.of("neither run recorded jdk.VirtualThreadPinned"),
        difference(
                new Pins().setting(Events.PINNED, false, 0, true),
                new Pins().setting(Events.PINNED, false, 0, true))
            .obstacles());
    assertEquals(
        List.of("only the run after has samples of the carriers throughout"),
        difference(pins(1, 5).unwatched(), pins(1, 5)).obstacles());
    assertEquals(
        List.of("only the run before was made under a what-if"),
        difference(pins(1, 5).agentOptions("rewrite=auto"), pins(1, 5)).obstacles());
  }

  private static final Frame FIND = frame("com.example.Orders", "find", 3, 40);
  private static final String FIND_NAME = "com.example.Orders.find";

  private static Behavior other(
      BehaviorKind kind, String subject, Observation.Unit unit, double value, boolean limits) {
    return behavior(
        kind,
        new Observation(
            subject,
            Set.of(),
            Optional.of(FIND),
            Optional.empty(),
            new Owner.Jdk(),
            new Observation.Amount(unit, value, true),
            1,
            Optional.empty(),
            limits,
            List.of(),
            new Observation.Evidence(List.of("vtdiag.WaitCrowd"), 60, OptionalLong.empty())));
  }

  /** So many threads waited for a pool all the time. */
  private static Behavior pool(int threads, boolean limits) {
    return other(
        WaitKind.POOL, "HikariCP", Observation.Unit.THREAD_NANOS, threads * 62.0 * SECOND, limits);
  }

  /** File I/O kept so many carriers all the time. */
  private static Behavior files(double carriers) {
    return other(
        MisuseKind.FILE_IO,
        "/var/log",
        Observation.Unit.CARRIER_NANOS,
        carriers * 62 * SECOND,
        true);
  }

  private static List<String> others(Findings before, Findings after) {
    return others(RunSummary.of("before", before), after);
  }

  /** Threads waited for a lock all the time, in this lambda of one method. */
  private static Behavior lockIn(String lambda, double threads) {
    Observation seen =
        other(
                WaitKind.LOCK,
                "ReentrantLock",
                Observation.Unit.THREAD_NANOS,
                threads * 62 * SECOND,
                true)
            .seen();
    return new Finding.Wait(
        WaitKind.LOCK,
        new Observation(
            seen.subject(),
            seen.traits(),
            Optional.of(frame("com.example.Orders", lambda, 3, 40)),
            seen.inside(),
            seen.owner(),
            seen.amount(),
            seen.count(),
            seen.atOnce(),
            seen.limits(),
            seen.details(),
            seen.evidence()));
  }

  /** Reports show two findings of one kind; their numbers are not added up. */
  @Test
  void waitsInTwoLambdasOfOneMethodAreTwoFindings(@TempDir Path folder) throws Exception {
    Findings two = with(lockIn("lambda$run$10", 3), lockIn("lambda$run$9", 2.5));
    RunSummary run = RunSummary.of("before", two);
    assertEquals(
        List.of("lambda$run$10 #2 3.0", "lambda$run$9 #1 2.5"),
        run.others().stream()
            .map(
                each ->
                    each.place().replace("com.example.Orders.", "")
                        + " #"
                        + each.identity().number()
                        + " "
                        + each.figure())
            .toList());
    Path file = folder.resolve("b.json");
    Files.writeString(file, BaselineFile.text(run));
    assertEquals(
        List.of(1, 2),
        BaselineFile.read(file).others().stream()
            .map(each -> each.identity().number())
            .sorted()
            .toList());
    String lock = " LOCK of ReentrantLock from com.example.Orders.lambda$run";
    assertEquals(List.of("SAME" + lock + " true", "SAME" + lock + " #2 true"), others(two, two));
    // Alone it is the first, whatever number the compiler gives.
    assertEquals(
        List.of("SAME" + lock + " true"),
        others(with(lockIn("lambda$run$0", 9)), with(lockIn("lambda$run$1", 10))));
    assertEquals(
        List.of("NEW" + lock + " #2 true", "SAME" + lock + " true"),
        others(
            with(lockIn("lambda$run$0", 9)),
            with(lockIn("lambda$run$0", 9), lockIn("lambda$run$1", 10))));
    // The same place in several recordings is one.
    assertEquals(
        List.of(12.0),
        RunSummary.of("both", with(lockIn("lambda$run$0", 5), lockIn("lambda$run$0", 7)))
            .others()
            .stream()
            .map(BaselineFinding::figure)
            .toList());
  }

  private static Findings with(Behavior... others) {
    return new Pins().findings().withBehaviors(List.of(others));
  }

  @Test
  void whatThreadsWaitForIsComparedTooIfItLimits() {
    String pool = " POOL of HikariCP from com.example.Orders.find ";
    assertEquals(List.of("NEW" + pool + true), others(with(), with(pool(6, true))));
    assertEquals(List.of("NEW" + pool + false), others(with(), with(pool(5, true))));
    assertEquals(List.of("NEW" + pool + false), others(with(), with(pool(490, false))));
    assertEquals(List.of("GONE" + pool + true), others(with(pool(490, true)), with()));
    assertEquals(
        List.of("WORSE" + pool + true), others(with(pool(10, true)), with(pool(26, true))));
    assertEquals(List.of("SAME" + pool + true), others(with(pool(10, true)), with(pool(25, true))));
    assertEquals(
        List.of("BETTER" + pool + true), others(with(pool(26, true)), with(pool(10, true))));
    // It is there in greater number and limits nothing.
    assertEquals(
        List.of("WORSE" + pool + false), others(with(pool(10, true)), with(pool(90, false))));
    assertEquals(
        List.of("NEW FILE_IO from com.example.Orders.find true", "SAME" + pool + true),
        others(with(pool(10, true)), with(pool(10, true), files(1.5))));
  }

  /** The same threads wait in the same method as long as before: nothing is better, or new. */
  @Test
  void aLockInPlaceOfAMonitorIsTheSameWait() {
    Behavior monitor =
        other(
            WaitKind.MONITOR,
            "monitor",
            Observation.Unit.THREAD_NANOS,
            7.0 * 62 * SECOND,
            /* limits= */ true);
    String lock = " LOCK of ReentrantLock from com.example.Orders.";
    for (double threads : new double[] {4, 7}) {
      assertEquals(
          List.of("SAME" + lock + "find true"),
          others(with(monitor), with(lockIn("find", threads))));
    }
    assertEquals(
        List.of("WORSE" + lock + "find true"), others(with(monitor), with(lockIn("find", 20))));
    // At another place, or beside the monitor, it is another.
    assertEquals(
        List.of("NEW" + lock + "list true", "GONE MONITOR of monitor from " + FIND_NAME + " true"),
        others(with(monitor), with(lockIn("list", 7))));
    assertEquals(
        List.of("NEW" + lock + "find true", "SAME MONITOR of monitor from " + FIND_NAME + " true"),
        others(with(monitor), with(lockIn("find", 7), monitor)));
  }

  /** Threads that now wait for the lock had a carrier at the monitor, or waited for a carrier. */
  @Test
  void aLockInPlaceOfAMonitorThatPinnedIsNothingNew() {
    String lock = " LOCK of ReentrantLock from com.example.Orders.";
    RunSummary pinned = queued(pins(new Pins(), FIND, 1200, 50), 30);
    assertEquals(List.of("SAME" + lock + "find true"), others(pinned, with(lockIn("find", 38))));
    assertEquals(List.of("SAME" + lock + "find true"), others(pinned, with(lockIn("find", 3))));
    // More threads than pins and the queue explain, another method, or one that still pins.
    assertEquals(List.of("NEW" + lock + "find true"), others(pinned, with(lockIn("find", 80))));
    assertEquals(List.of("NEW" + lock + "list true"), others(pinned, with(lockIn("list", 38))));
    assertEquals(
        List.of("NEW" + lock + "find true"),
        others(
            pinned,
            pins(new Pins(), FIND, 9, 50).findings().withBehaviors(List.of(lockIn("find", 38)))));
    // Without pins there, a queue for carriers tells nothing of the lock.
    assertEquals(
        List.of("NEW" + lock + "find true"),
        others(queued(pins(new Pins(), DB, 1200, 50), 30), with(lockIn("find", 38))));
  }

  /** A run in which so many threads waited for a carrier on average. */
  private static RunSummary queued(Pins pins, double threads) {
    RunSummary run = RunSummary.of("before", pins.findings());
    return new RunSummary(
        run.name(),
        run.conditions(),
        Optional.of(new Totals(0, OptionalDouble.of(threads), Map.of())),
        run.findings(),
        run.others());
  }

  private static List<String> others(RunSummary before, Findings after) {
    return Difference.of(before, RunSummary.of("after", after), Tolerance.NORMAL).others().stream()
        .map(change -> change.kind() + " " + change.seen().identity() + " " + change.notable())
        .toList();
  }

  @Test
  void aHangIsNewOrGoneAndNeverAccident() {
    Findings hung = new Pins().hang("deadlock: 2 threads wait for each other").findings();
    assertEquals(List.of("NEW HANG LockCycle true"), others(with(), hung));
    assertEquals(List.of("GONE HANG LockCycle true"), others(hung, with()));
    assertEquals(List.of("SAME HANG LockCycle true"), others(hung, hung));
    // Nothing tells whether it is the same one, and that is said.
    Findings another = new Pins().hang("deadlock: 3 threads wait for each other").findings();
    assertEquals(List.of("SAME HANG LockCycle true"), others(hung, another));
    // What ended by itself is there as pins.
    assertEquals(List.of(), others(with(), new Pins().stoodStill("starved: all 2").findings()));
  }

  private static final HangPlace PAY = new HangPlace("app.Ledger.add", "", "app.Ledger", "");
  private static final HangPlace CLOSE = new HangPlace("app.Account.add", "", "app.Account", "");
  private static final HangPlace AUDIT = new HangPlace("app.Audit.add", "", "app.Audit", "");

  private static Findings hung(String kind, HangPlace... places) {
    return new Pins().hang(kind, List.of(places), "deadlock: some threads").findings();
  }

  private static List<Change.Kind> kinds(Findings before, Findings after) {
    return Difference.of(
            RunSummary.of("before", before), RunSummary.of("after", after), Tolerance.NORMAL)
        .others()
        .stream()
        .map(FindingChange::kind)
        .toList();
  }

  @Test
  void anotherHangOfTheSameKindIsNew() {
    Findings one = hung("LockCycle", PAY, CLOSE);
    assertEquals(List.of(Change.Kind.SAME), kinds(one, hung("LockCycle", CLOSE, PAY)));
    assertEquals(
        List.of(Change.Kind.NEW, Change.Kind.GONE), kinds(one, hung("LockCycle", PAY, AUDIT)));
    // Which of the places kept a carrier when it hung is an accident, but not a place of its own.
    Findings pinned = hung("DeadlockByPinning", PAY, CLOSE);
    assertEquals(
        List.of(Change.Kind.SAME, Change.Kind.GONE), kinds(pinned, hung("DeadlockByPinning", PAY)));
    assertEquals(
        List.of(Change.Kind.NEW, Change.Kind.SAME, Change.Kind.GONE),
        kinds(pinned, hung("DeadlockByPinning", PAY, AUDIT)));
    // Of which hang an older recording tells is not known: it accepts none that is known.
    assertEquals(List.of(Change.Kind.NEW, Change.Kind.GONE), kinds(hung("LockCycle"), one));
  }

  @Test
  void whatOnlyOneRunCouldTellIsNotCompared() {
    Findings unseen =
        with(files(1.5))
            .withGaps(List.of(new Gap(Gap.Kind.WAITS_UNSEEN, "app.jfr", "nobody looked")));
    Difference difference =
        Difference.of(
            RunSummary.of("before", unseen),
            RunSummary.of("after", with(pool(490, true))),
            Tolerance.NORMAL);
    assertEquals(
        List.of("GONE FILE_IO from com.example.Orders.find true"),
        difference.others().stream()
            .map(c -> c.kind() + " " + c.seen().identity() + " " + c.notable())
            .toList());
    assertEquals(
        List.of(
            "what virtual threads wait for once they have left their carriers: only the run after"
                + " tells it"),
        difference.untold());
  }

  @Test
  void timesOfAStarvedMachineCannotBeCompared() {
    Difference starved = difference(pins(3, 50), pins(3, 900).blind(30_000));
    assertEquals(List.of(), starved.obstacles());
    assertFalse(starved.isComparable());
    assertEquals(
        List.of(
            "the machine of the run after was too busy: the agent's watch could not look at the"
                + " carriers for 30 s of 62 s"),
        starved.starved());
    assertEquals(
        List.of(
            "the machine of the run before was too busy: the agent's watch could not look at the"
                + " carriers for 30 s of 62 s"),
        difference(pins(3, 50).blind(30_000), pins(3, 50)).starved());
    assertTrue(difference(pins(3, 50).blind(900), pins(3, 50)).isComparable());
  }

  @Test
  void aBaselineComesBackAsItWas(@TempDir Path folder) throws Exception {
    RunSummary run =
        RunSummary.of(
            "app.jfr",
            pins(3, 50)
                .hang("deadlock: 2 threads wait for each other")
                .findings()
                .withBehaviors(List.of(pool(490, true), files(3))));
    assertEquals(3, run.others().size());
    Path file = folder.resolve("b.json");
    Files.writeString(file, BaselineFile.text(run));
    assertEquals(run, BaselineFile.read(file));
    assertTrue(Difference.of(run, BaselineFile.read(file), Tolerance.NORMAL).obstacles().isEmpty());
  }

  @Test
  void anotherVersionOfTheFormatIsRefusedWithTheCommandThatMakesOne(@TempDir Path folder)
      throws IOException {
    RunSummary run = RunSummary.of("app.jfr", pins(3, 50).findings());
    Path file = folder.resolve("b.json");
    Files.writeString(
        file, BaselineFile.text(run).replace("\"vtdiagBaseline\" : 2", "\"vtdiagBaseline\" : 1"));
    assertEquals(
        file
            + ": has version 1 of the format, and this vtdiag reads version 2; make a new one:"
            + " vtdiag baseline FILE... -o "
            + file,
        assertThrows(DataException.class, () -> BaselineFile.read(file)).getMessage());
  }

  @Test
  void whatIsNoBaselineIsRefusedWithItsName(@TempDir Path folder) throws IOException {
    String whole =
        BaselineFile.text(
            RunSummary.of(
                "app.jfr", pins(3, 50).findings().withBehaviors(List.of(pool(490, true)))));
    Path file = folder.resolve("b.json");
    for (String text :
        List.of(
            "",
            "[]",
            "{}",
            "nonsense",
            "{\"vtdiagBaseline\": \"1\"}",
            "{\"vtdiagBaseline\": 2}",
            "[".repeat(5_000),
            whole.replace("\"count\"", "\"c\""),
            whole.replace("\"identity\"", "\"i\""),
            whole.replace("\"others\"", "\"o\""),
            whole.replace("\"THREADS\"", "\"SHEEP\""),
            whole.replace("\"POOL\"", "\"POND\""),
            whole.replace("21", "\"x\"").replace("\"java\"", "\"j\""),
            whole.substring(0, whole.length() / 2))) {
      Files.writeString(file, text);
      String message =
          assertThrows(DataException.class, () -> BaselineFile.read(file), text).getMessage();
      assertTrue(message.startsWith(file + ": "), message);
      assertTrue(message.contains("vtdiag baseline FILE... -o "), message);
      assertFalse(message.contains("\n"), message);
    }
    assertTrue(
        assertThrows(DataException.class, () -> BaselineFile.read(folder.resolve("none.json")))
            .getMessage()
            .contains("none.json: no such file; make a new one: vtdiag baseline"));
  }

  private static Behavior behavior(BehaviorKind kind, Observation seen) {
    return kind instanceof WaitKind wait
        ? new Finding.Wait(wait, seen)
        : new Finding.Misuse(kind, seen);
  }
}
