package io.github.vtdiag.analysis;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.block;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings.Since24;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.program.ClassLookup;
import io.github.vtdiag.program.UnreadClass;
import io.github.vtdiag.recording.RecordingData;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class GroupingTest {
  private static final Frame PARK = frame("java.lang.VirtualThread", "park", 7, 582);
  private static final Frame EXECUTE = frame("com.example.Db", "execute", 20, 326);
  private static final Frame CALLER = frame("com.example.Service", "call", 3, 12);
  private static final StackTrace IN_DB = stack(PARK, EXECUTE);
  private static final Frame COMPUTE =
      frame("java.util.concurrent.ConcurrentHashMap", "computeIfAbsent", 210, 1708);

  private static List<Gap.Kind> kinds(Findings findings) {
    return findings.gaps().stream().map(Gap::kind).toList();
  }

  @Test
  void nothingRecordedIsNoFindingAndNoDivisionByZero() {
    Findings findings = new Pins().findings();
    assertEquals(List.of(), findings.pins());
    assertEquals(Cost.NONE, findings.cost());
    assertEquals(OptionalDouble.of(0), findings.shareOfCapacity());
    assertEquals(List.of(), findings.gaps());
  }

  @Test
  void unknownParallelismIsNotAShareOfZero() {
    Findings findings =
        new Pins().parallelismUnknown().pin(1, 50, IN_DB, method(1, EXECUTE)).findings();
    assertEquals(OptionalDouble.empty(), findings.shareOfCapacity());
    assertEquals(OptionalDouble.empty(), findings.pins().getFirst().shareOfCapacity());
    assertEquals(List.of(Gap.Kind.CAPACITY_UNKNOWN), kinds(findings));
  }

  @Test
  void eventOffIsALimitAndNotAnAbsenceOfPins() {
    Findings findings = new Pins().setting(Events.PINNED, false, 0, false).findings();
    assertEquals(List.of(Gap.Kind.PINNED_EVENT_OFF), kinds(findings));
  }

  @Test
  void everyGapOfARecordingIsNamed() {
    Findings findings =
        new Pins()
            .noSettings()
            .noAgent()
            .lost(10)
            .problem("the file ends in the middle of a chunk")
            .findings();
    assertEquals(
        List.of(
            Gap.Kind.DAMAGED,
            Gap.Kind.EVENTS_LOST,
            Gap.Kind.PINNED_EVENT_UNKNOWN,
            Gap.Kind.MONITOR_EVENT_OFF,
            Gap.Kind.MONITOR_EVENT_OFF,
            Gap.Kind.NO_AGENT),
        kinds(findings));
  }

  @Test
  void thresholdsHideShortPinsAndSayWhich() {
    Findings findings =
        new Pins()
            .setting(Events.PINNED, true, 20 * MILLI, false)
            .setting(Events.MONITOR_WAIT, true, 10 * MILLI, true)
            .findings();
    assertEquals(
        List.of(
            "pins shorter than 20 ms",
            "stacks: jdk.VirtualThreadPinned was recorded without stackTrace",
            "Object.wait shorter than 10 ms"),
        findings.gaps().stream().map(Gap::text).toList());
  }

  @Test
  void onJdk25MonitorsSayNothingAndTheirEventsAreNotMissed() {
    Findings findings = new Pins().jdk(25).findings();
    assertEquals(List.of(Gap.Kind.MONITORS_DO_NOT_PIN), kinds(findings));
    assertEquals(Optional.empty(), findings.since24());
  }

  @Test
  void unknownJdkIsALimit() {
    assertEquals(List.of(Gap.Kind.JDK_UNKNOWN), kinds(new Pins().jdk(0).findings()));
  }

  @Test
  void missingStacksTruncatedStacksAndUnreadClassesAreCounted() {
    StackTrace cut = new StackTrace(List.of(PARK, EXECUTE), true);
    PinCause why = new PinCause.Unexplained("the stack was cut off");
    Findings findings =
        new Pins()
            .pin(1, 30, StackTrace.ABSENT, new PinCause.Unexplained("no stack"))
            .pin(
                1,
                30,
                cut,
                new Attribution(
                    List.of(why),
                    new BlockingOperation(BlockingOperation.Kind.UNKNOWN, ""),
                    Set.of("a.A", "a.B", "a.C", "a.D"),
                    true))
            .findings();
    assertEquals(
        List.of(
            "the stack of 1 pin: record with stackTrace=true",
            "the outer frames of 1 stack, cut at depth 2",
            "the monitors of 4 classes whose bytes were not found (a.A, a.B, a.C and 1 more):"
                + " name their jars with --classpath"),
        findings.gaps().stream().map(Gap::text).toList());
    assertEquals(Optional.of(new Since24(0, 0, 60 * MILLI)), findings.since24());
  }

  /** Nobody is told to name a jar that is named, or that does not exist. */
  @Test
  void whyTheMonitorsOfAClassAreNotKnown() {
    Findings findings =
        new Pins()
            .lookup("a.Gone", new ClassLookup.NotFound(true))
            .lookup("a.Changed", new ClassLookup.Found(false))
            .lookup("a.Proxy", new ClassLookup.Generated())
            .lookup("b.Proxy", new ClassLookup.Generated())
            .lookup(
                "a.Broken",
                new ClassLookup.Unreadable(new UnreadClass("a.Broken", "x.jar", "it is damaged")))
            .pin(
                1,
                30,
                new StackTrace(List.of(PARK, EXECUTE), false),
                new Attribution(
                    List.of(new PinCause.Unexplained("no bytes")),
                    new BlockingOperation(BlockingOperation.Kind.UNKNOWN, ""),
                    Set.of("", "a.Gone", "a.Changed", "a.Proxy", "b.Proxy", "a.Broken", "java.a.B"),
                    false))
            .findings();
    assertEquals(
        List.of(
            "the monitors of 1 class that is not on the class path (a.Gone): add its jar to"
                + " --classpath",
            "the monitors of 1 class of the JDK whose bytes were not found (java.a.B): name the JDK"
                + " that ran with --jdk",
            "the monitors of 1 class whose bytes do not fit the recording (a.Changed): another"
                + " version, or changed by another agent",
            "the monitors of 2 classes that were generated at run time (a.Proxy, b.Proxy) and are"
                + " in no jar",
            "the monitors of 1 class whose class file could not be read (a.Broken)"),
        findings.gaps().stream().map(Gap::text).toList());
  }

  /** A frame without a class is no class to name a jar for. */
  @Test
  void aFrameWithoutAClassIsNoGap() {
    Findings findings =
        new Pins()
            .pin(
                1,
                30,
                new StackTrace(List.of(PARK, EXECUTE), false),
                new Attribution(
                    List.of(new PinCause.Unexplained("no bytes")),
                    new BlockingOperation(BlockingOperation.Kind.UNKNOWN, ""),
                    Set.of(""),
                    false))
            .findings();
    assertEquals(List.of(), findings.gaps());
  }

  @Test
  void figuresAreExact() {
    Pins pins = new Pins();
    for (int i = 1; i <= 200; i++) {
      pins.pin(i % 7, i, IN_DB, method(1, EXECUTE));
    }
    Pin finding = pins.findings().pins().getFirst();
    assertEquals(
        new Cost(
            200,
            20_100 * MILLI,
            200 * MILLI,
            100 * MILLI,
            198 * MILLI,
            Durations.of(LongStream.rangeClosed(1, 200).map(i -> i * MILLI).toArray())),
        finding.cost());
    assertEquals(7, finding.threads());
    assertEquals(1.0, finding.shareOfPinned());
    assertEquals(20.1 / 124, finding.shareOfCapacity().orElseThrow(), 1e-12);
    assertEquals("com.example.Db.execute", finding.title());
    assertEquals(Map.of(Confidence.LOADED_BYTECODE, 200L), finding.confidence());
  }

  @Test
  void oneStackIsAttributedOnce() {
    Pins pins = new Pins();
    for (int i = 0; i < 1000; i++) {
      pins.pin(i, 30, IN_DB, method(1, EXECUTE));
    }
    assertEquals(1000, pins.findings().cost().count());
    assertEquals(1, pins.attributed());
  }

  @Test
  void twoBlocksOfOneMethodAreTwoFindingsTheCostlierFirst() {
    StackTrace other = stack(PARK, frame("com.example.Db", "execute", 90, 340));
    Findings findings =
        new Pins()
            .pin(1, 30, IN_DB, block(1, EXECUTE, 4, 330))
            .pin(1, 70, other, block(1, other.frames().get(1), 80, 350))
            .findings();
    assertEquals(
        List.of(80, 4), findings.pins().stream().map(f -> f.site().place().enterBci()).toList());
    assertEquals(0.7, findings.pins().getFirst().shareOfPinned());
  }

  @Test
  void theSameMonitorFromTwoPlacesIsOneFinding() {
    StackTrace elsewhere = stack(PARK, EXECUTE, frame("com.example.Other", "go", 1, 1));
    Findings findings =
        new Pins()
            .pin(1, 30, IN_DB, method(1, EXECUTE))
            .pin(1, 30, elsewhere, method(1, EXECUTE))
            .findings();
    assertEquals(1, findings.pins().size());
  }

  @Test
  void aMonitorOfTheJdkIsToldApartByWhoCalled() {
    Frame cache = frame("com.example.RateCache", "get", 9, 40);
    Frame other = frame("com.example.Users", "find", 9, 50);
    Findings findings =
        new Pins()
            .pin(1, 30, stack(PARK, COMPUTE, cache, CALLER), block(1, COMPUTE, 60, 1750))
            .pin(1, 20, stack(PARK, COMPUTE, other, CALLER), block(1, COMPUTE, 60, 1750))
            .findings();
    assertEquals(
        List.of("com.example.RateCache.get", "com.example.Users.find"),
        findings.pins().stream().map(Pin::title).toList());
    assertEquals(cache, findings.pins().getFirst().caller().orElseThrow().frame());
  }

  @Test
  void everyFurtherCauseIsListedOnceForAPin() {
    Frame outer = frame("com.example.Pool", "with", 5, 77);
    StackTrace nested = stack(PARK, EXECUTE, outer, EXECUTE);
    Findings findings =
        new Pins()
            .pin(1, 30, nested, method(1, EXECUTE), block(2, outer, 2, 80), method(3, EXECUTE))
            .pin(1, 30, IN_DB, method(1, EXECUTE))
            .findings();
    Pin finding = findings.pins().getFirst();
    assertEquals(1, finding.alsoHeld().size());
    assertEquals("com.example.Pool.with", finding.alsoHeld().getFirst().site().name());
    assertEquals(1, finding.alsoHeld().getFirst().count());
  }

  @Test
  void oneSharedObjectIsAHotLock() {
    Pins pins = new Pins();
    for (int thread = 1; thread <= 3; thread++) {
      pins.pin(thread, 30, IN_DB, method(1, EXECUTE)).sampled(42);
    }
    pins.pin(4, 30, IN_DB, method(1, EXECUTE));
    Pin finding = pins.findings().pins().getFirst();
    assertEquals(Optional.of(new LockObjects(3, 1, 3, 3, 1, 3)), finding.lockObjects());
    assertTrue(finding.lockObjects().get().shared());
    assertEquals(
        Map.of(Confidence.EXACT_MONITORS, 3L, Confidence.LOADED_BYTECODE, 1L),
        finding.confidence());
  }

  /** One begins each second; where one ends as another begins, they are not at a time. */
  @Test
  void pinsAndThreadsAtATimeAreCounted() {
    Pins pins = new Pins();
    for (int i = 0; i < 4; i++) {
      pins.pin(i % 2, 2_000, IN_DB, method(1, EXECUTE));
    }
    assertEquals(Optional.of(new Overlap(2, 8 / 5.0)), pins.findings().pins().getFirst().overlap());
    assertEquals(
        Optional.of(new Overlap(1, 1)),
        new Pins()
            .pin(1, 1_000, IN_DB, method(1, EXECUTE))
            .pin(2, 1_000, IN_DB, method(1, EXECUTE))
            .findings()
            .pins()
            .getFirst()
            .overlap());
  }

  /** Times of different recordings have nothing to do with each other. */
  @Test
  void acrossRecordingsNothingIsAtATime() {
    Recorded one = new Pins().pin(1, 2_000, IN_DB, method(1, EXECUTE)).recorded();
    Pin finding = Grouping.of(List.of(one, one)).pins().getFirst();
    assertEquals(2, finding.count());
    assertEquals(Optional.empty(), finding.overlap());
  }

  @Test
  void anObjectForEachThreadIsNone() {
    Pins pins = new Pins();
    for (int thread = 1; thread <= 3; thread++) {
      pins.pin(thread, 30, IN_DB, method(1, EXECUTE)).sampled(thread);
    }
    LockObjects seen = pins.findings().pins().getFirst().lockObjects().orElseThrow();
    assertEquals(new LockObjects(3, 3, 3, 1, 0, 1), seen);
    assertFalse(seen.shared());
  }

  @Test
  void withoutSamplesNothingIsSaidOfLockObjects() {
    Findings findings = new Pins().pin(1, 30, IN_DB, method(1, EXECUTE)).findings();
    assertEquals(Optional.empty(), findings.pins().getFirst().lockObjects());
  }

  @Test
  void aSampleOfAnotherStackIsNotUsed() {
    StackTrace elsewhere = stack(PARK, CALLER);
    RecordingData sampled = new Pins().pin(1, 30, elsewhere, method(1, CALLER)).sampled(1).data();
    RecordingData other = new Pins().pin(1, 30, IN_DB, method(1, EXECUTE)).data();
    Attributed attributed =
        Attributed.of(
            new RecordingData(
                other.facts(),
                other.pins(),
                other.events(),
                other.waits(),
                List.of(),
                sampled.samples()),
            (episode, samples) -> {
              assertEquals(List.of(), samples);
              return new Attribution(
                  List.of(method(1, EXECUTE)), Pins.SOCKET_READ, Set.of(), false);
            });
    Findings findings =
        Grouping.of(
            List.of(new Recorded(attributed, Map.of(EXECUTE.type(), new Owner.Jdk()), Map.of())));
    assertEquals(1, findings.cost().count());
  }

  @Test
  void onlyPinsThatAreAllMonitorsGoOnJdk24() {
    Frame nativeFrame = frame("com.example.Native", "call", -1, -1);
    Findings findings =
        new Pins()
            .pin(1, 10, IN_DB, method(1, EXECUTE))
            .pin(
                1,
                20,
                stack(PARK, EXECUTE, nativeFrame),
                method(1, EXECUTE),
                Pins.nativeMethod(2, nativeFrame))
            .pin(1, 40, stack(CALLER), new PinCause.ObjectWait(CALLER, "java.lang.Object"))
            .pin(1, 80, stack(PARK), new PinCause.Unexplained("no monitor is known"))
            .findings();
    assertEquals(Optional.of(new Since24(50 * MILLI, 20 * MILLI, 80 * MILLI)), findings.since24());
  }

  @Test
  void recordingsAddUpAndTheirThreadsAreNotMixed() {
    Recorded one = new Pins().pin(1, 30, IN_DB, method(1, EXECUTE)).recorded();
    Recorded two = new Pins().source("b.jfr").pin(1, 30, IN_DB, method(1, EXECUTE)).recorded();
    Findings findings = Grouping.of(List.of(one, two));
    assertEquals(1, findings.pins().size());
    assertEquals(2, findings.threads());
    assertEquals(0.06 / 248, findings.shareOfCapacity().orElseThrow(), 1e-12);
  }

  private static List<String> reachedFrom(Findings findings) {
    return findings.pins().getFirst().reachedFrom().stream()
        .map(from -> from.count() + " " + from.frame())
        .toList();
  }

  private static Pins applications(String... classNames) {
    Pins pins = new Pins();
    for (String name : classNames) {
      pins.owner(name, new Owner.Application("classes"));
    }
    return pins;
  }

  @Test
  void whereNobodySaysWhoseCodeItIsNothingIsTheApplications() {
    Findings findings =
        new Pins().pin(1, 30, stack(PARK, EXECUTE, CALLER), method(1, EXECUTE)).findings();
    assertEquals(List.of(), reachedFrom(findings));
  }

  @Test
  void codeOfTheJdkAndCodeMadeAtRunTimeIsNotTheApplications() {
    Frame proxy = frame("com.example.Service$$Lambda", "run", 3, -1);
    Frame enhanced = frame("com.example.Service$$SpringCGLIB$$0", "call", 3, -1);
    Frame thread = frame("java.lang.VirtualThread", "run", 3, 309);
    Frame nameless = frame("", "call", 3, 9);
    Findings findings =
        applications(
                proxy.type().name(), enhanced.type().name(), thread.type().name(), "", "com.Other")
            .pin(1, 30, stack(PARK, EXECUTE, nameless, enhanced, proxy, thread), method(1, EXECUTE))
            .findings();
    assertEquals(List.of(), reachedFrom(findings));
  }

  @Test
  void theNearestPlacesOfTheApplicationAreCountedByPins() {
    Frame other = frame("com.example.Job", "run", 3, 70);
    Frame sameLine = frame("com.example.Job", "run", 20, 70);
    Frame main = frame("com.example.Main", "main", 3, 5);
    Findings findings =
        applications("com.example.Service", "com.example.Job", "com.example.Main")
            .pin(1, 90, stack(PARK, EXECUTE, CALLER, main), method(1, EXECUTE))
            .pin(1, 10, stack(PARK, EXECUTE, other, main), method(1, EXECUTE))
            .pin(2, 10, stack(PARK, EXECUTE, sameLine, main), method(1, EXECUTE))
            .pin(3, 10, stack(PARK, EXECUTE), method(1, EXECUTE))
            .findings();
    assertEquals(
        List.of("2 com.example.Job.run:70", "1 com.example.Service.call:12"),
        reachedFrom(findings));
  }

  /** H2 calls a function of the application while it holds the lock of the database. */
  @Test
  void whatALibraryCallsWhileItHoldsTheLockDidNotLeadThere() {
    Frame function = frame("com.example.Functions", "pause", 3, 8);
    Findings findings =
        applications("com.example.Functions", "com.example.Service")
            .pin(1, 30, stack(PARK, function, EXECUTE, CALLER), method(2, EXECUTE))
            .findings();
    assertEquals(List.of("1 com.example.Service.call:12"), reachedFrom(findings));
    Findings alone =
        applications("com.example.Functions")
            .pin(1, 30, stack(PARK, function, EXECUTE, CALLER), method(2, EXECUTE))
            .findings();
    assertEquals(List.of("1 com.example.Functions.pause:8"), reachedFrom(alone));
  }

  @Test
  void whatTheApplicationHoldsItselfIsReachedFromThere() {
    Findings findings =
        applications("com.example.Db", "com.example.Service")
            .pin(1, 30, stack(PARK, EXECUTE, CALLER), method(1, EXECUTE))
            .findings();
    assertEquals(List.of("1 com.example.Db.execute:326"), reachedFrom(findings));
  }

  @Test
  void eachRecordingSaysItselfWhichCodeIsTheApplications() {
    StackTrace stack = stack(PARK, EXECUTE, CALLER);
    Recorded one = new Pins().pin(1, 30, stack, method(1, EXECUTE)).recorded();
    Recorded two =
        applications("com.example.Service").pin(1, 30, stack, method(1, EXECUTE)).recorded();
    assertEquals(
        List.of("1 com.example.Service.call:12"), reachedFrom(Grouping.of(List.of(one, two))));
  }

  @Test
  void theStackIsTheOneThatCostsMostAndNotTheOneOfTheLongestPin() {
    StackTrace often = stack(PARK, EXECUTE, CALLER);
    Pins pins = new Pins().pin(1, 50, IN_DB, method(1, EXECUTE));
    for (int i = 0; i < 3; i++) {
      pins.pin(2, 20, often, method(1, EXECUTE));
    }
    assertEquals(often, pins.findings().pins().getFirst().stack());
  }

  @Test
  void theSameStackInTwoRecordingsIsOne() {
    StackTrace both = stack(PARK, EXECUTE, CALLER);
    Recorded one =
        new Pins()
            .pin(1, 50, IN_DB, method(1, EXECUTE))
            .pin(1, 30, both, method(1, EXECUTE))
            .recorded();
    Recorded two = new Pins().pin(1, 30, both, method(1, EXECUTE)).recorded();
    assertEquals(both, Grouping.of(List.of(one, two)).pins().getFirst().stack());
  }

  private static final Frame CACHE = frame("com.cache.Cache", "get", 9, 80);
  private static final Frame OTHER_CACHE = frame("com.cache.Cache", "refresh", 9, 90);

  private static PinCause inMap(int enterBci) {
    return block(1, COMPUTE, enterBci, 1800);
  }

  private static PinCause entering(Frame frame) {
    return new PinCause.MonitorEntry(frame, "java.util.concurrent.ConcurrentHashMap$Node");
  }

  @Test
  void monitorsThatCanBeChangedStaySeparateFindings() {
    Findings findings =
        new Pins()
            .pin(1, 50, stack(PARK, EXECUTE), block(1, EXECUTE, 10, 330))
            .pin(2, 30, stack(PARK, EXECUTE, CALLER), block(1, EXECUTE, 15, 330))
            .findings();
    assertEquals(2, findings.pins().size());
  }

  private static Pins entered(Pins pins, int thread, int bci, String lockClass) {
    Frame frame = frame("com.example.Db", "open", bci, 40);
    return pins.pin(
        thread,
        10 + thread,
        stack(frame, frame("com.example.Web", "serve", thread, 9)),
        new PinCause.MonitorEntry(frame, lockClass));
  }

  /** Some events do not have the class of the monitor. */
  @Test
  void aWaitForAMonitorWithoutAClassIsThatAtTheSameInstruction() {
    Pins pins = entered(entered(new Pins(), 1, 12, "com.example.Pool"), 2, 12, "");
    Findings findings = entered(pins, 3, 12, "com.example.Pool").findings();
    assertEquals(1, findings.pins().size());
    Pin pin = findings.pins().getFirst();
    assertEquals(3, pin.count());
    assertEquals("com.example.Pool", pin.site().detail());
  }

  @Test
  void aWaitForAMonitorWithoutAClassIsNoOther() {
    Pins elsewhere = entered(entered(new Pins(), 1, 12, "com.example.Pool"), 2, 20, "");
    assertEquals(2, elsewhere.findings().pins().size());
    Pins ownMonitor = entered(entered(new Pins(), 1, 12, "com.example.Pool"), 2, 0, "");
    assertEquals(2, ownMonitor.findings().pins().size());
    Pins twoClasses =
        entered(entered(new Pins(), 1, 12, "com.example.Pool"), 2, 12, "com.example.Other");
    assertEquals(3, entered(twoClasses, 3, 12, "").findings().pins().size());
    Pins nowhereKnown = entered(entered(new Pins(), 1, 12, ""), 2, 12, "");
    assertEquals(1, nowhereKnown.findings().pins().size());
    Frame waiting = frame("com.example.Db", "open", 13, 40);
    Pins inWait = entered(new Pins(), 1, 12, "com.example.Pool");
    inWait.pin(2, 10, stack(waiting), new PinCause.ObjectWait(waiting, ""));
    assertEquals(2, inWait.findings().pins().size());
  }

  @Test
  void monitorsOfTheJdkStaySeparateForEachCallerAndClassAndForThoseWhoWait() {
    Frame table = frame("java.util.Hashtable", "compute", 5, 900);
    Findings findings =
        new Pins()
            .pin(1, 50, stack(PARK, COMPUTE, CACHE), inMap(100))
            .pin(2, 40, stack(PARK, COMPUTE, OTHER_CACHE), inMap(100))
            .pin(3, 30, stack(PARK, table, CACHE), method(1, table))
            .pin(4, 20, stack(COMPUTE, CACHE), entering(COMPUTE))
            .findings();
    assertEquals(4, findings.pins().size());
  }

  @Test
  void monitorsOfOneClassOfTheJdkOnTheWayFromOneMethodAreOneFinding() {
    Frame transfer = frame("java.util.concurrent.ConcurrentHashMap", "transfer", 20, 2500);
    Findings findings =
        new Pins()
            .pin(1, 20, stack(PARK, COMPUTE, CACHE), inMap(200))
            .pin(2, 50, stack(PARK, COMPUTE, CACHE, CALLER), inMap(100))
            .pin(3, 5, stack(PARK, transfer, COMPUTE, CACHE), method(1, transfer), inMap(300))
            .pin(4, 6, stack(COMPUTE, CACHE), entering(COMPUTE))
            .pin(5, 4, stack(transfer, COMPUTE, CACHE), entering(transfer))
            .findings();
    assertEquals(
        List.of(75 * MILLI, 10 * MILLI), findings.pins().stream().map(Pin::total).toList());
    Pin held = findings.pins().getFirst();
    assertEquals(inMap(100), held.cause(), "the costliest stands for all");
    assertEquals(held.site(), Site.of(held.cause(), held.stack()));
    assertEquals(List.of(), held.alsoHeld());
    assertEquals(new Freed(75 * MILLI, 0), findings.sets().freedBy(Set.of(held.site()), held));
    assertEquals(
        new Freed(85 * MILLI, 0),
        findings.sets().freedBy(Set.of(held.site(), findings.pins().getLast().site())));
  }
}
