package io.github.vtdiag.report;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.block;
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
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.NextSteps;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader learns who reads the first screen and no more. */
final class AnswerTest {
  private static final Owner APPLICATION = new Owner.Application("app.jar!/BOOT-INF/classes");
  private static final Owner POSTGRES = library("org.postgresql", "postgresql", "42.5.4");

  private final Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
  private final Frame orders = frame("com.example.Orders", "find", 3, 41);
  private final Frame execute =
      frame("org.postgresql.core.v3.QueryExecutorImpl", "execute", 20, 326);
  private final Frame pool =
      frame("org.apache.commons.pool2.impl.GenericObjectPool", "create", 1, 519);

  private static Owner library(String group, String artifact, String version) {
    return new Owner.Library(new Coordinates(group, artifact, version), artifact + ".jar");
  }

  private Pins pins() {
    return new Pins()
        .owner(orders.type().name(), APPLICATION)
        .owner(execute.type().name(), POSTGRES)
        .owner(pool.type().name(), library("org.apache.commons", "commons-pool2", "2.13.1"));
  }

  private static Advice advice(Findings findings) {
    return Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, type -> false);
  }

  private static String analysis(Pins pins, Detail detail, Style style) {
    return analysis(pins.findings(), detail, style);
  }

  private static String analysis(Findings findings, Detail detail, Style style) {
    List<String> next = List.of("vtdiag gate app.jfr --max-pin 50ms");
    return Formats.TEXT.write(new Report.Analysis(findings, advice(findings), detail, next), style);
  }

  private static String analysis(Pins pins) {
    return analysis(pins, Detail.BRIEF, Style.PLAIN);
  }

  private static String advised(Pins pins) {
    Findings findings = pins.findings();
    return Formats.TEXT.write(
        new Report.Recommendations(
            findings, advice(findings), Detail.BRIEF, Optional.empty(), NextSteps.NONE),
        Style.PLAIN);
  }

  private static JsonNode json(Pins pins) throws Exception {
    Findings findings = pins.findings();
    return new ObjectMapper()
        .readTree(
            Formats.JSON.write(
                new Report.Analysis(findings, advice(findings), Detail.BRIEF, List.of()),
                Style.PLAIN));
  }

  private Pins onePinOf(long millis) {
    return pins().pin(1, millis, stack(park, execute), method(1, execute));
  }

  // Headlines that the lines below contradict.

  /** A machine without free processors: carriers are free, and threads are queued all the same. */
  @Test
  void carriersAreNotCalledFreeWhereThreadsAreQueuedMostOfTheTime() {
    String report = analysis(onePinOf(3).looked(5, 0, 0, 10, 0));
    assertFalse(report.contains("were not the bottleneck"), report);
    assertTrue(
        report.contains("Virtual threads were queued 100% of the time, though not every"), report);
  }

  /** Carriers that the scheduler added may be idle while others are queued. */
  @Test
  void aQueueBesideAddedCarriersIsNotPutDownToTheMachine() {
    String machine = "no free processor";
    assertTrue(analysis(onePinOf(3).looked(5, 0, 0, 10, 0)).contains(machine));
    String added = analysis(onePinOf(3).looked(5, 0, 0, 10, 0).parallelism(1));
    assertFalse(added.contains(machine), added);
    assertTrue(added.contains("though not every carrier was busy"), added);
    assertTrue(added.contains("lets no more run than there are regular ones"), added);
  }

  /** On Java 25 a short queue now and then is no shortage of carriers. */
  @Test
  void carriersThatWereIdleAreNotCalledBusy() {
    String busy = "the carriers were busy";
    assertTrue(analysis(onePinOf(3).looked(90, 0, 0, 10, 80).waiting(18)).contains(busy));
    Pins now = onePinOf(3).looked(5, 0, 0, 1, 0).idleUntil(50).waiting(1);
    String idle = analysis(now);
    assertTrue(idle.contains("they were idle 99% of the time"), idle);
    assertFalse(idle.contains(busy), idle);
    assertFalse(idle.contains("meanwhile the recorded pins"), idle);
    // Idle for less than half of the time.
    String pinned = analysis(onePinOf(3).looked(5, 0, 50, 1, 0).idleUntil(40).waiting(1));
    assertTrue(pinned.contains("were not the bottleneck"), pinned);
    assertFalse(pinned.contains(busy), pinned);
  }

  @Test
  void whatALaterJavaDoesNotFreeIsNotPutDownToAMonitorAlone() {
    Pins pins = pins();
    for (int i = 0; i < 30; i++) {
      pins.pin(1, 3000, stack(park, execute), method(1, execute), Pins.nativeMethod(0, park));
    }
    String report = analysis(pins.looked(0, 0, 100, 10, 100));
    assertFalse(report.contains("JEP 491 freed monitors only"), report);
    assertTrue(report.contains("something else holds the carrier on each"), report);
    assertTrue(report.contains("on the same stacks)"), report);
  }

  // No all-clear where there is none.

  /** Both carriers are pinned for good: such pins are no events, and all that is left is noise. */
  @ParameterizedTest
  @ValueSource(longs = {0, 3, 600})
  void aHangIsNotAllClear(long millis) {
    Pins pins = millis == 0 ? pins() : onePinOf(millis);
    for (String report :
        List.of(analysis(pins.unwatched().waiting(18)), advised(pins.unwatched().waiting(18)))) {
      assertTrue(report.contains("On average 18 virtual threads were queued; meanwhile"), report);
      assertTrue(report.contains("some pins never ended"), report);
      assertFalse(report.contains("Nothing here needs a change"), report);
    }
  }

  /** With a watch such pins are in the recording, so that nothing has to be guessed. */
  @Test
  void whoWaitsIsExplainedByWhatTheWatchSaw() {
    String busy = analysis(onePinOf(600).looks(0, 0, 18).waiting(18));
    assertTrue(busy.contains("The watch saw no other pins: the carriers were busy, in Java"), busy);
    String idle = analysis(onePinOf(600).looks(0, 1, 18).waiting(18));
    assertTrue(idle.contains("The watch saw idle carriers at the same time"), idle);
    assertTrue(idle.contains("why virtual threads were queued for "), idle);
  }

  /** The verdict says that the carriers were pinned while threads were queued. */
  @Test
  void aVerdictOnPinnedCarriersIsNotContradicted() {
    String report = analysis(onePinOf(600).looked(0, 0, 95, 18, 95).waiting(18));
    assertTrue(report.contains("of them were pinned"), report);
    assertFalse(report.contains("meanwhile the recorded pins held"), report);
  }

  @Test
  void aHangComesFirst() {
    Pins pins = onePinOf(3).hang("deadlock: 2 threads wait for each other", "  a holds x");
    for (String report : List.of(analysis(pins), advised(pins))) {
      int hung =
          report.indexOf("Hung when it ended: deadlock: 2 threads wait for each other.\n  a holds");
      assertTrue(hung > 0 && hung < report.indexOf("Carriers were blocked"), report);
      assertFalse(report.contains("Nothing here needs a change"), report);
    }
    String later = analysis(pins.end(RecordingFacts.End.LATER));
    assertTrue(later.contains("Hung: deadlock"), later);
  }

  @Test
  void carriersThatAreAllKeptAtTheEndAreAHangAfterSomeSeconds() {
    for (long millis : new long[] {600, 25_000}) {
      Pins pins = pins().looks(2, 0, 14);
      pins.unended(1, millis, stack(park, execute), method(1, execute));
      pins.unended(2, 40_000, stack(park, execute), method(1, execute));
      String report = analysis(pins);
      assertTrue(
          report.contains(millis < 5_000 ? "  When it ended, both" : "  Hung when it ended: both"),
          report);
      assertTrue(report.contains("2 of the pins had not ended when the recording did"), report);
      assertTrue(report.contains("2 not ended"), report);
    }
  }

  /** Carriers that are known to be blocked are the explanation. */
  @Test
  void whoWaitsForBlockedCarriersIsExplained() {
    String report = analysis(onePinOf(70_000).waiting(18));
    assertTrue(report.contains("On average 18 virtual threads were queued."), report);
    assertFalse(report.contains("never ended"), report);
  }

  /** Two figures of different moments would seem to contradict each other. */
  @Test
  void howManyWaitedIsSaidOnce() {
    for (long pinned : new long[] {70_000, 600}) {
      String report = analysis(onePinOf(pinned).looked(0, 0, 0, 7, 10).waiting(18));
      assertTrue(report.contains("Waiting for a carrier: "), report);
      assertFalse(report.contains("18"), report);
      assertFalse(report.contains("On average"), report);
    }
  }

  /** Start-up and idling are no reason for alarm: nobody waits then. */
  @Test
  void aShortLoadInALongRecordingIsExplained() {
    Pins pins = onePinOf(900).pin(2, 1_900, stack(park, execute), method(1, execute));
    String report = analysis(pins.waiting(18, 500, 1_500, 2_500));
    assertTrue(report.contains("On average 18 virtual threads were queued."), report);
    assertFalse(report.contains("never ended"), report);
  }

  /** The pins before a hang do not explain it. */
  @Test
  void aLoadThatEndsInAHangIsNotExplained() {
    String report = analysis(onePinOf(900).unwatched().waiting(18, 500, 1_500, 2_500));
    assertTrue(report.contains("the recorded pins held only 17% of the carriers. "), report);
    assertTrue(report.contains("some pins never ended"), report);
  }

  @Test
  void whereNobodyWaitsNothingHangs() {
    String report = analysis(onePinOf(3).waiting(0));
    assertTrue(report.contains("  Nothing here needs a change.\n"), report);
    assertFalse(report.contains("never ended"), report);
  }

  /** What is listed below is to be changed, though no pin is. */
  @Test
  void whereThreadsWaitForSomethingElseThePinsAloneAreFine() {
    Findings waiting =
        onePinOf(3).waiting(0).findings().withBehaviors(GoldenFindings.waits(/* limits= */ true));
    String report = analysis(waiting, Detail.BRIEF, Style.PLAIN);
    assertTrue(report.contains("  No pin that was recorded is worth a change.\n"), report);
    assertFalse(report.contains("Nothing here needs a change"), report);
  }

  @Test
  void whereThreadsMayStandStillThePinsAloneAreFine() {
    Findings stalled =
        onePinOf(3)
            .waiting(0)
            .findings()
            .withGaps(
                List.of(new Gap(Gap.Kind.STALLED_AT_END, "app.jfr", "what would end the waits")));
    String report = analysis(stalled, Detail.BRIEF, Style.PLAIN);
    assertTrue(report.contains("Possible stall: nothing shows what would end the waits."), report);
    assertTrue(report.contains("  No pin that was recorded is worth a change.\n"), report);
  }

  /** A gate counts each pin, so that a report must not say that all is well with it. */
  @Test
  void longClassLoadingIsNotFineForAGate() {
    PinCause load = new PinCause.ClassLoading(0, orders);
    String fine = analysis(pins().pin(1, 50, stack(orders), load).waiting(0));
    assertTrue(fine.contains("  Nothing here needs a change.\n"), fine);
    assertFalse(fine.contains("a lower --max-pin"), fine);
    Pins pins = pins().pin(1, 63, stack(orders), load).pin(2, 4, stack(orders), load).waiting(0);
    String over = analysis(pins);
    assertTrue(
        over.contains("  Nothing here needs a change, unless a gate's --max-pin is below 63 ms.\n"),
        over);
    assertTrue(over.contains("up to 63 ms; a gate with a lower --max-pin fails; -v"), over);
  }

  /** Free carriers help threads that wait for something else as little as a restart. */
  @Test
  void aLaterJavaDoesNotPromiseToEndAStall() {
    String goesOn = flat(onePinOf(900).waiting(0));
    assertTrue(goesOn.contains(" run on Java 25.0.4 or later (JEP 491)."), goesOn);
    assertFalse(goesOn.contains("This frees the carriers"), goesOn);

    String byPinning =
        flat(onePinOf(900).hang("DeadlockByPinning", List.of(), "deadlock by pinning: 2 threads"));
    assertFalse(byPinning.contains("This frees the carriers"), byPinning);

    String starved = flat(onePinOf(900).hang("Starved", List.of(), "starved: both carriers"));
    assertTrue(
        starved.contains("carriers; whether the threads that stand still then go on is unknown."),
        starved);

    Gap stall = new Gap(Gap.Kind.STALLED_AT_END, "app.jfr", "what would end the waits");
    String stalled =
        analysis(onePinOf(900).findings().withGaps(List.of(stall)), Detail.BRIEF, Style.PLAIN);
    assertTrue(
        stalled.contains("carriers; it does not end the waits of the possible stall."), stalled);
  }

  /** Thirty findings that take a little less than a hundredth each. */
  @Test
  void muchThatIsHarmlessByItselfIsNotCalledFine() {
    Pins pins = pins();
    for (int i = 0; i < 30; i++) {
      Frame each = frame("com.example.C" + i, "run", 1, 1);
      for (int pin = 0; pin < 240; pin++) {
        pins.pin(pin, 5, stack(park, each), method(1, each));
      }
    }
    String report = analysis(pins);
    assertTrue(report.contains("but together they take 29% of the carriers' time"), report);
    assertFalse(report.contains("Nothing here needs a change"), report);
  }

  /** On 25 no monitor pins, and nobody has to be told of it. */
  @Test
  void aLaterJavaIsNoAnswerToWhoeverRunsIt() {
    Frame step = frame("org.sqlite.core.NativeDB", "step", -1, -1);
    PinCause cause = Pins.nativeMethod(1, step);
    Pins pins = pins().jdk(25).pin(1, 600, stack(park, step), cause);
    assertFalse(analysis(pins).contains("JEP 491"), analysis(pins));
    Pins before = pins().jdk(21).pin(1, 600, stack(park, step), cause);
    assertTrue(
        analysis(before).contains("  A later Java frees none of it: JEP 491 freed monitors"),
        analysis(before));
  }

  /** Whoever runs it can be hit by it, pins or not. */
  @Test
  void aJavaWithAKnownFaultIsNamed() {
    Frame step = frame("org.sqlite.core.NativeDB", "step", -1, -1);
    Pins pins = pins().pin(1, 600, stack(park, step), Pins.nativeMethod(1, step));
    String faulty = flat(pins.jdk(25));
    assertTrue(
        faulty.contains(
            "Java 25.0.3 can leave virtual threads stuck for ever, as if the program hung:"
                + " JDK-8373120 (fixed in 25.0.4); run on Java 25.0.4 or later."),
        faulty);
    assertFalse(analysis(pins.jdk(21)).contains("JDK-83"), analysis(pins.jdk(21)));
  }

  /** A deadlock is the program's own; threads that stand still for no reason may not be. */
  @Test
  void whereThreadsStandStillItIsSaidHowToTellAFaultOfTheJdk() {
    String told = "It is this defect if the thread has no carrier and is to enter a monitor";
    Pins pins = pins().jdk(25);
    assertFalse(flat(pins).contains(told), flat(pins));
    assertFalse(flat(pins.hang("deadlock: 2 threads wait for each other")).contains(told));
    assertTrue(
        flat(pins.hang("LostWakeUp", List.of(), "lost wake-up: 1 virtual thread waits"))
            .contains(told));
    String on21 = flat(pins.jdk(21));
    assertFalse(on21.contains("JDK-8369227") || on21.contains("JDK-8373120"), on21);
    assertTrue(on21.contains("JDK-8346175 (no update of this release is known"), on21);
  }

  private static String flat(Pins pins) {
    return analysis(pins).replaceAll("\\s+", " ");
  }

  /** A headline on pins alone contradicts entries on native code that cost far more. */
  @Test
  void theHeadlineNamesNativeCodeThatKeepsTheCarriersLongerThanPins() {
    String said = "They were in native code 90% of the time.";
    assertTrue(flat(onePinOf(2_000).looked(5, 90, 5, 9, 95)).contains(said));
    assertFalse(flat(onePinOf(2_000).looked(75, 20, 5, 9, 95)).contains("They were in native"));
    assertFalse(flat(onePinOf(60_000).looked(5, 30, 60, 9, 95)).contains("They were in native"));
  }

  // What is said once.

  @Test
  void whatFreesAllIsSaidOnTopAndNotAgain() {
    Pins pins =
        onePinOf(600)
            .pin(1, 90, stack(park, pool), method(1, pool))
            .pin(1, 30, stack(park, orders), method(1, orders));
    String report = advised(pins);
    assertTrue(
        report.contains(
            "  To free all of it: run on Java 25.0.4 or later (JEP 491). Java 25 or 26 without"),
        report);
    assertEquals(1, report.split("JEP 491", -1).length - 1, report);
    assertFalse(report.contains("or: run on Java 25.0.4"), report);
    assertTrue(
        report.contains(
            "2  Run on Java 25.0.4 or later for org.apache.commons:commons-pool2 2.13.1"),
        report);
    // Each tells of its own part: nobody is led to the smallest by what a later Java frees.
    assertTrue(report.contains("  frees 0.090 of 0.720 carrier-seconds\n"), report);
  }

  @Test
  void theOneChangeThatFreesAllIsNamed() {
    assertTrue(
        analysis(onePinOf(600))
            .contains(
                "  To free all of it: follow 1, or run on Java 25.0.4 or later (JEP 491). Java 25"
                    + " or 26 without"),
        analysis(onePinOf(600)));
  }

  @Test
  void whatIsShortIsOneLineWithItsSum() throws Exception {
    Pins pins = onePinOf(600);
    for (int i = 0; i < 12; i++) {
      Frame each = frame("org.sqlite.core.C" + i, "run", 1, 1);
      pins.pin(i, 1, stack(park, each), method(1, each))
          .pin(i, 2, stack(each, each), method(1, each));
    }
    String line = "  Short and harmless: 12 findings, 36 ms in 24 pins";
    for (String report : List.of(analysis(pins), advised(pins))) {
      assertTrue(report.contains(line + ", up to 2 ms; -v lists them.\n"), report);
      assertFalse(report.contains("org.sqlite"), report);
      assertFalse(report.contains("leave it as it is"), report);
    }
    String full = analysis(pins, Detail.FULL, Style.PLAIN);
    assertTrue(full.contains(line + ", up to 2 ms:\n"), full);
    for (int i = 0; i < 12; i++) {
      assertTrue(full.contains("    org.sqlite.core.C" + i + ".run, 3 ms in 2 pins; sync"), full);
    }
    JsonNode entries = json(pins).path("entries");
    assertEquals(2, entries.size());
    assertFalse(entries.get(0).path("minor").asBoolean());
    assertTrue(entries.get(1).path("minor").asBoolean());
    assertEquals(12, entries.get(1).path("findings").size());
    assertEquals(36 * MILLI, entries.get(1).path("cost").path("totalNanos").asLong());
  }

  @Test
  void theApplicationsLinesAreNamed() throws Exception {
    Frame report = frame("com.example.Report", "write", 3, 90);
    Frame nightly = frame("com.example.Nightly", "run", 3, 12);
    Frame unknown = frame("com.example.Unknown", "run", 3, -1);
    Pins pins = pins();
    int thread = 0;
    for (Frame each : List.of(orders, report, nightly, unknown)) {
      pins.owner(each.type().name(), APPLICATION);
      for (int i = thread; i < 4; i++) {
        pins.pin(i, 100, stack(park, execute, each), method(1, execute));
      }
      thread++;
    }
    String line =
        "reached from com.example.Orders.find (Orders.java:41), 4 pins;"
            + " com.example.Report.write (Report.java:90), 3 pins";
    for (String text : List.of(analysis(pins), advised(pins))) {
      assertTrue(text.contains(line + "; and 2 more places\n"), text);
    }
    assertTrue(
        analysis(pins, Detail.FULL, Style.PLAIN)
            .contains(
                line
                    + "; com.example.Nightly.run (Nightly.java:12), 2 pins;"
                    + " com.example.Unknown.run, 1 pin\n"));
    assertEquals(4, json(pins).at("/entries/0/reachedFrom").size());
  }

  /** Nothing tells an application's jar from a library's if it has coordinates. */
  @Test
  void whereNoneIsKnownAsTheApplicationTheCallerIsNamed() {
    Frame statement = frame("org.postgresql.jdbc.PgStatement", "execute", 20, 411);
    Frame proxy = frame("com.example.$Proxy7", "find", 1, -1);
    Frame thread = frame("java.lang.VirtualThread", "run", 1, 309);
    Frame store = frame("com.example.Store", "find", 3, 41);
    Owner same = library("com.example", "app", "1.0");
    Pins pins = pins().owner(statement.type().name(), POSTGRES).owner(store.type().name(), same);
    pins.pin(1, 50, stack(park, execute, statement, proxy, store, thread), method(1, execute));
    String text = analysis(pins);
    assertTrue(text.contains("  called from com.example.Store.find (Store.java:41)\n"), text);
    Pins alone = pins().pin(1, 50, stack(park, execute, thread), method(1, execute));
    assertFalse(analysis(alone).contains("called from"), analysis(alone));
  }

  /** Who reads where the monitor is taken knows that already. */
  @Test
  void noPlaceLeadsToItself() {
    Pins pins = pins().pin(1, 100, stack(park, orders), method(1, orders));
    assertFalse(analysis(pins).contains("reached from"), analysis(pins));
    assertFalse(analysis(pins).contains("called from"), analysis(pins));
  }

  /** Only of initializers it is known which class to load; a method is none. */
  @Test
  void theMethodThatNeedsAClassIsNotCalledTheClass() {
    Pins pins = pins();
    pins.pin(1, 900, stack(park, orders), new PinCause.AwaitedInitialization("com.example.Table"));
    pins.pin(2, 800, stack(park, execute, orders), new PinCause.ClassLoading(1, execute));
    String text = analysis(pins);
    assertTrue(text.contains("  com.example.Table, 900 ms in 1 pin\n"), text);
    assertTrue(text.contains("  a class for " + execute.qualifiedMethod() + ", 800 ms"), text);
  }

  /** Whoever stays on the Java of the recording does not get all of the sum. */
  @Test
  void theSumSaysWhatOnlyALaterJavaFrees() {
    Pins pins = pins().owner(pool.type().name(), library("com.example", "pool", "1.0"));
    pins.pin(1, 3000, stack(park, execute), method(1, execute));
    pins.pin(2, 2000, stack(park, pool), method(1, pool));
    String both = advised(pins);
    assertTrue(
        both.contains(
            "frees 5.0 of 5.0 carrier-seconds. Changes of code and libraries free 3.0 of them; only"
                + " Java"),
        both);
    assertTrue(both.contains(" frees the other 2.0.\n"), both);
    Pins fixed = pins();
    fixed.pin(1, 3000, stack(park, execute), method(1, execute));
    fixed.pin(2, 2000, stack(park, orders), Pins.nativeMethod(1, orders));
    String code = advised(fixed);
    assertTrue(code.contains("Making all changes below frees 5.0 of 5.0"), code);
    assertFalse(code.contains("of them; only"), code);
  }

  /** Recordings can lack the names of classes and methods. */
  @Test
  void aPlaceWithoutNameIsNoPlace() {
    Frame lost = frame("", "", 54, 424);
    Pins pins = pins();
    pins.pin(1, 100, stack(lost, orders), new PinCause.MonitorEntry(lost, "java.util.HashMap"));
    assertFalse(analysis(pins).contains("seen at"), analysis(pins));
  }

  /** The frame that blocks is inside the lock; the caller is what a reader does not know yet. */
  @Test
  void theCallerOfOwnCodeIsNamedAndNotWhatItCalls() {
    Frame sleeps = frame("com.example.Orders", "sleep", 3, 60);
    Frame again = frame("com.example.Orders", "find", 9, 44);
    Frame worker = frame("com.example.Worker", "run", 3, 12);
    Frame main = frame("com.example.Main", "main", 3, 5);
    Pins pins = pins();
    for (Frame frame : List.of(sleeps, worker, main)) {
      pins.owner(frame.type().name(), new Owner.Application("classes"));
    }
    pins.pin(1, 100, stack(park, sleeps, orders, again, worker, main), method(2, orders));
    String text = analysis(pins);
    assertTrue(text.contains("  called from com.example.Worker.run (Worker.java:12)\n"), text);
    assertFalse(text.contains("reached from"), text);
  }

  /** Groovy looks for the target when it is first called. */
  @Test
  void theDispatchOfALanguageIsNoCaller() {
    Frame dispatch = frame("org.codehaus.groovy.vmplugin.v8.IndyInterface", "fromCache", 3, 321);
    Frame worker = frame("com.example.Worker", "run", 3, 12);
    Pins pins = pins();
    pins.owner(orders.type().name(), new Owner.Application("classes"));
    pins.pin(1, 100, stack(park, orders, dispatch, worker), method(1, orders));
    String text = analysis(pins);
    assertTrue(text.contains("  called from com.example.Worker.run (Worker.java:12)\n"), text);
    Pins alone = pins();
    alone.owner(orders.type().name(), new Owner.Application("classes"));
    alone.pin(1, 100, stack(park, orders, dispatch), method(1, orders));
    assertFalse(analysis(alone).contains("called from"), analysis(alone));
  }

  /** The monitor that a wait has released does not pin besides it; another one does. */
  @Test
  void theLockOfAWaitIsNoFurtherCause() {
    PinCause waits = new PinCause.ObjectWait(pool, "com.example.Latch");
    Pins alone = pins().pin(1, 100, stack(pool, orders), waits, block(0, pool, 1, 9));
    assertFalse(analysis(alone).contains("must go"), analysis(alone));
    String full = analysis(alone, Detail.FULL, Style.PLAIN);
    assertTrue(full.contains("  released by the wait: " + pool.qualifiedMethod()), full);
    Pins both =
        pins()
            .pin(
                1,
                100,
                stack(pool, orders),
                new PinCause.ObjectWait(pool, pool.type().name()),
                method(0, pool),
                method(1, orders));
    assertTrue(
        analysis(both).contains("also held: com.example.Orders.find; both must go"),
        analysis(both));
  }

  @Test
  void aPlaceWithManyMonitorsIsSaidInOneLine() {
    Pins pins = pgjdbc();
    assertTrue(
        analysis(pins).contains("also held: PgStatement.m0 and 3 more; all must go or it stays"),
        analysis(pins));
    String full = analysis(pins, Detail.FULL, Style.PLAIN);
    for (int i = 0; i < 4; i++) {
      assertTrue(
          full.contains("also held: org.postgresql.jdbc.PgStatement.m" + i + " (sync"), full);
    }
  }

  private Pins pgjdbc() {
    List<Frame> frames = new ArrayList<>(List.of(park, execute));
    List<PinCause> causes = new ArrayList<>(List.of(method(1, execute)));
    for (int i = 0; i < 4; i++) {
      Frame each = frame("org.postgresql.jdbc.PgStatement", "m" + i, 20, 100 + i);
      frames.add(each);
      causes.add(block(2 + i, each, 10, 200));
    }
    frames.add(orders);
    StackTrace db = new StackTrace(frames, false);
    Pins pins =
        pins()
            .setting(Events.PINNED, true, MILLI, true)
            .setting(Events.MONITOR_ENTER, true, MILLI, true)
            .setting(Events.MONITOR_WAIT, true, MILLI, true)
            .owner("org.postgresql.jdbc.PgStatement", POSTGRES);
    for (int i = 0; i < 400; i++) {
      pins.pin(i % 64, 250, db, causes.toArray(PinCause[]::new));
      if (i < 75) {
        pins.sampled(i % 64);
      }
    }
    for (int i = 0; i < 12; i++) {
      Frame each = frame("org.postgresql.Start" + i, "run", 1, 1);
      pins.owner(each.type().name(), POSTGRES);
      pins.pin(i, 6, stack(park, each, orders), method(1, each));
    }
    return pins;
  }

  /** Nobody scrolls for the answer: all of it is on the screen when the prompt is back. */
  @ParameterizedTest
  @EnumSource(ScreenReport.class)
  void theAnswerFitsOnOneScreen(ScreenReport which) {
    Findings findings = pgjdbc().findings();
    List<String> next =
        List.of(
            "vtdiag advise app.jfr --classpath app.jar --sources src/main/java",
            "vtdiag gate app.jfr --max-pin 50ms");
    Report report =
        switch (which) {
          case ANALYSIS -> new Report.Analysis(findings, advice(findings), Detail.BRIEF, next);
          case ADVICE ->
              new Report.Recommendations(
                  findings, advice(findings), Detail.BRIEF, Optional.empty(), NextSteps.of(next));
        };
    String text = Formats.TEXT.write(report, new Style(false, 80));
    List<String> lines = text.lines().toList();
    assertTrue(lines.size() <= 24, text);
    assertTrue(lines.stream().allMatch(line -> line.length() <= 80), text);
    String flat = text.replaceAll("\\s+", " ");
    for (String said :
        List.of(
            "Carriers were blocked 81% of the time",
            "pgrade org.postgresql:postgresql 42.5.4 to 42.6.0 or later",
            "QueryExecutorImpl.execute",
            "rees 100 of 100 carrier-seconds",
            "reached from com.example.Orders.find (Orders.java:41), 400 pins",
            "Short and harmless: 12 findings, 72 ms in 12 pins",
            "Next: vtdiag")) {
      assertTrue(flat.contains(said), () -> said + " in " + text);
    }
  }

  /** The reports that tell what to do. */
  enum ScreenReport {
    ANALYSIS,
    ADVICE
  }

  /** Whoever goes from one to the other finds the same numbers. */
  @Test
  void bothReportsHaveTheSameEntries() throws Exception {
    Frame codec = frame("com.example.Codec", "<clinit>", 4, 12);
    Pins pins =
        pgjdbc()
            .owner(codec.type().name(), APPLICATION)
            .pin(1, 9_000, stack(park, pool, orders), method(1, pool))
            .pin(1, 30_000, stack(park, codec), new PinCause.ClassInitializer(1, codec));
    String analysis = analysis(pins);
    String advised = advised(pins);
    Matcher title = Pattern.compile("(?m)^  (\\d)  (\\S+)  .*$").matcher(analysis);
    int entries = 0;
    while (title.find()) {
      entries++;
      int from = advised.indexOf("\n  " + title.group(1) + "  ");
      int to = advised.indexOf("\n\n", from);
      String entry = advised.substring(from, to);
      assertTrue(entry.contains("for: " + title.group(2) + ","), entry);
    }
    assertEquals(3, entries);
    JsonNode json = json(pins);
    assertEquals(
        List.of(execute, codec, pool).stream().map(Frame::qualifiedMethod).toList(),
        json.path("entries")
            .valueStream()
            .filter(entry -> !entry.path("minor").asBoolean())
            .map(entry -> json.path("findings").get(entry.path("findings").get(0).asInt()))
            .map(finding -> finding.path("title").asText())
            .toList());
  }
}
