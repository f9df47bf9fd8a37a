package io.github.vtdiag.report;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.block;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.advice.Locks;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.gate.Gate;
import io.github.vtdiag.gate.Measures;
import io.github.vtdiag.gate.Policies;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.NextSteps;
import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ReportTest {
  private static final Path SCHEMA = Path.of("..", "docs", "findings.schema.json");

  private static Findings findings() {
    Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
    Frame execute = frame("org.postgresql.core.v3.QueryExecutorImpl", "execute", 20, 326);
    Frame statement = frame("org.postgresql.jdbc.PgStatement", "executeInternal", 60, 485);
    Frame compute = frame("java.util.concurrent.ConcurrentHashMap", "computeIfAbsent", 210, 1708);
    Frame cache = frame("com.example.RateCache", "get", 9, 40);
    Frame codec = frame("com.example.Codec", "<clinit>", 4, 12);
    StackTrace db = stack(park, execute, statement);
    Owner postgres =
        new Owner.Library(
            new Coordinates("org.postgresql", "postgresql", "42.5.4"), "postgresql-42.5.4.jar");
    Pins pins =
        new Pins()
            .setting(Events.PINNED, true, 20 * MILLI, true)
            .setting(Events.MONITOR_ENTER, false, 0, false)
            .owner(execute.type().name(), postgres)
            .owner(statement.type().name(), postgres)
            .owner(compute.type().name(), new Owner.Jdk())
            .owner(cache.type().name(), new Owner.Application("app.jar!/BOOT-INF/classes"));
    for (int i = 0; i < 1190; i++) {
      pins.pin(i, 39, db, method(1, execute), block(2, statement, 55, 512));
      if (i < 40) {
        pins.sampled(i);
      }
    }
    for (int i = 0; i < 12; i++) {
      pins.pin(i, 60, stack(park, compute, cache), block(1, compute, 60, 1750));
    }
    pins.pin(1, 200, stack(park, codec), new PinCause.ClassInitializer(1, codec));
    return pins.findings();
  }

  private static String text(Findings findings, Style style) {
    return Formats.TEXT.write(
        new Report.Analysis(
            findings,
            advice(findings),
            Detail.BRIEF,
            List.of("vtdiag gate app.jfr --max-pin 50ms")),
        style);
  }

  private static Advice advice(Findings findings) {
    return Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, type -> false);
  }

  private static String json(Findings findings) {
    return json(findings, advice(findings));
  }

  private static String json(Findings findings, Policy policy) {
    return Formats.JSON.write(
        new Report.Judgement(findings, Gate.judge(findings, policy), Optional.of(advice(findings))),
        Style.PLAIN);
  }

  private static String json(Findings findings, Advice advice) {
    return Formats.JSON.write(
        new Report.Analysis(findings, advice, Detail.BRIEF, List.of()), Style.PLAIN);
  }

  private static void assertValid(String json) throws IOException {
    Validator.Result result =
        new ValidatorFactory()
            .withJsonNodeFactory(new JacksonNode.Factory())
            .validate(Files.readString(SCHEMA), json);
    assertTrue(result.isValid(), () -> result.getErrors() + "\n" + json);
  }

  @Test
  void commandsAreNeverBroken() {
    List<String> next =
        List.of("vtdiag patch app.jfr --classpath app.jar -o locks.patch", "vtdiag gate app.jfr");
    for (Style style : List.of(Style.PLAIN, new Style(false, 80), new Style(false, 200))) {
      assertEquals(
          """
            Next: vtdiag patch app.jfr --classpath app.jar -o locks.patch
                  vtdiag gate app.jfr
          """,
          style.commands(next));
    }
    assertEquals(
        "  Next: " + next.getFirst() + "\n", new Style(false, 40).commands(next.subList(0, 1)));
  }

  @Test
  void noPinsIsNotSaidOfARecordingThatCouldNotShowOne() {
    Pins off = new Pins().setting(Events.PINNED, false, 0, false);
    assertTrue(
        text(off.findings(), Style.PLAIN)
            .contains("No verdict: the recording could not have shown a pin."));
    Pins cut = new Pins().problem("the last chunk is cut off");
    String report = text(cut.findings(), Style.PLAIN);
    assertTrue(report.contains("No pins in the part of the recording that can be read."), report);
    assertTrue(report.contains("Incomplete: the last chunk is cut off."), report);
  }

  @Test
  void noPins() {
    assertEquals(
        """
        app.jfr  62 s on Java 21.0.8, 2 carriers

          Bottleneck unknown: the carriers were not sampled (vtdiag's agent does that).
          No pins.

          Next: vtdiag gate app.jfr --max-pin 50ms
        """,
        text(new Pins().findings(), Style.PLAIN));
  }

  @Test
  void wholeReport() {
    assertEquals(
        """
        app.jfr  62 s on Java 21.0.8, 2 carriers

          Bottleneck unknown: the carriers were not sampled (vtdiag's agent does that).
          Carrier time: at least 38% pinned (38% holding a monitor, 0.2% for a class), 62% not known (no samples; no file events).
          Carriers were blocked 38% of the time: 47.3 of 124 carrier-seconds.
          1,190 virtual threads were pinned 1,203 times (of 20 ms or more).
          Java 25.0.4 or later frees 47.1 of these 47.3 carrier-seconds (JEP 491); entry 3 stays. Java 25 or 26 without the fix of JDK-8369227 and JDK-8373120 can hang.

          1  org.postgresql.core.v3.QueryExecutorImpl.execute     46.4 s    98%  1,190 pins
               synchronized method, lock: this; waits in: socket read
               org.postgresql:postgresql 42.5.4; seen at QueryExecutorImpl.java:326
               p50 39 ms  p99 39 ms  max 39 ms  1,190 threads  37% of all carrier time
               also held: PgStatement.executeInternal; both must go or it stays pinned
             > upgrade org.postgresql:postgresql 42.5.4 to 42.6.0 or later. Frees 46.4 of 47.3 carrier-seconds.

          2  com.example.RateCache.get                            720 ms   1.5%  12 pins
               inside ConcurrentHashMap.computeIfAbsent (synchronized block, lock: this, ConcurrentHashMap.java:1708-1750); waits in: socket read
               application; seen at RateCache.java:40
             > put a CompletableFuture into the map and complete it outside, or use Caffeine's AsyncCache. Frees 0.720 of 47.3 carrier-seconds.

          3  com.example.Codec.<clinit>                           200 ms   0.4%  1 pin
               class initializer; waits in: socket read
               unknown jar; seen at Codec.java:12
             > move the slow work out of the class initializer: to start-up, or to a lazy getter under a ReentrantLock. Frees 0.200 of 47.3 carrier-seconds.

          Not in this recording: pins shorter than 20 ms; monitor entry (jdk.JavaMonitorEnter was not recorded).
          Next: vtdiag gate app.jfr --max-pin 50ms
        """,
        text(findings(), Style.PLAIN));
  }

  private static String advised(Findings findings, Style style) {
    return Formats.TEXT.write(
        new Report.Recommendations(
            findings, advice(findings), Detail.BRIEF, Optional.empty(), NextSteps.NONE),
        style);
  }

  @Test
  void withoutPinsThereIsNothingToAdviseOn() {
    assertEquals(
        """
        app.jfr  62 s on Java 21.0.8, 2 carriers

          Bottleneck unknown: the carriers were not sampled (vtdiag's agent does that).
          No pins.
        """,
        advised(new Pins().findings(), Style.PLAIN));
    Pins off = new Pins().setting(Events.PINNED, false, 0, false);
    assertTrue(
        advised(off.findings(), Style.PLAIN)
            .contains("No verdict: the recording could not have shown a pin."));
  }

  @Test
  void wholeAdvice() {
    assertEquals(
        """
        app.jfr  62 s on Java 21.0.8, 2 carriers

          Bottleneck unknown: the carriers were not sampled (vtdiag's agent does that).
          Carrier time: at least 38% pinned (38% holding a monitor, 0.2% for a class), 62% not known (no samples; no file events).
          Carriers were blocked 38% of the time: 47.3 of 124 carrier-seconds.
          1,190 virtual threads were pinned 1,203 times (of 20 ms or more).
          Java 25.0.4 or later frees 47.1 of these 47.3 carrier-seconds (JEP 491); entry 3 stays. Java 25 or 26 without the fix of JDK-8369227 and JDK-8373120 can hang.
          Making all changes below frees 47.3 of 47.3 carrier-seconds.

          1  Upgrade org.postgresql:postgresql 42.5.4 to 42.6.0 or later
               for: org.postgresql.core.v3.QueryExecutorImpl.execute, 46.4 s in 1,190 pins
               why: 42.5.4 is the last version seen to pin (ran on 21 by vtdiag: 78/s with pins, 978/s without)
               frees 46.4 of 47.3 carrier-seconds
               hardly any lock object is shared: expect this path to get faster too
               no throughput predicted: the threshold hid pins that are about as long as these
               or: call it on a pool of platform threads, and wait for the Future

          2  Put a CompletableFuture into the map and complete it outside, or use Caffeine's AsyncCache
               for: com.example.RateCache.get, 720 ms in 12 pins
               inside ConcurrentHashMap.computeIfAbsent (synchronized block, lock: this, ConcurrentHashMap.java:1708-1750); waits in: socket read
               why: a lock of your own does not help: the monitor belongs to the map
               frees 0.720 of 47.3 carrier-seconds
               or: do the slow work under your own ReentrantLock per key, and store the result afterwards

          3  Move the slow work out of the class initializer: to start-up, or to a lazy getter under a ReentrantLock
               for: com.example.Codec.<clinit>, 200 ms in 1 pin
               why: a class initializer runs in a frame that no JDK can unmount; since Java 26 threads that wait for an initializer unmount, but not the thread that runs it. The holder idiom only moves the work to another initializer
               frees 0.200 of 47.3 carrier-seconds
               or: load and initialize the class at start-up on a platform thread (Class.forName), before the first request
        """,
        advised(findings(), Style.PLAIN));
  }

  @Test
  void adviceFitsItsTerminal() {
    String report = advised(findings(), new Style(true, 80)).replaceAll("\u001b\\[[0-9;]*m", "");
    for (String line : report.lines().toList()) {
      assertTrue(line.length() <= 80, line);
    }
    assertEquals(
        advised(findings(), Style.PLAIN).replaceAll("\\s+", " "), report.replaceAll("\\s+", " "));
  }

  /** Rewrites, refusals and harmless locks have members of their own. */
  @Test
  void jsonOfEveryRecommendationKeepsItsSchema() throws IOException {
    Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
    Frame moves = frame("com.example.Moves", "run", 1, 10);
    Frame stays = frame("com.example.Stays", "run", 1, 10);
    Frame quick = frame("com.example.Quick", "run", 1, 10);
    Owner app = new Owner.Application("classes");
    Findings all =
        new Pins()
            .owner(moves.type().name(), app)
            .owner(stays.type().name(), app)
            .owner(quick.type().name(), app)
            .pin(1, 90, stack(park, moves), method(1, moves))
            .pin(1, 80, stack(park, stays), method(1, stays))
            .pin(1, 70, stack(park, moves, stays), method(1, moves), method(2, stays))
            .pin(1, 1, stack(park, quick), method(1, quick))
            .pin(1, 1, StackTrace.ABSENT, new PinCause.Unexplained("no stack"))
            .findings();
    Lock lock = Locks.of("com.example.Moves", List.of(method(1, moves).site()), List.of());
    Advice advice =
        Advisor.advise(
            all,
            KnownFixes.load(),
            site ->
                site.type().name().equals("com.example.Moves")
                    ? new Decision.Movable(lock)
                    : Advisor.unknown(site),
            type -> false);
    String json = json(all, advice);
    assertValid(json);
    for (String member : List.of("REWRITE", "REFUSED", "CLASS_UNKNOWN", "HARMLESS")) {
      assertTrue(json.contains("\"" + member + "\""), json);
    }
  }

  /** Nothing depends on the assumptions where nothing is rewritten. */
  @Test
  void assumptionsAreSaidOfRewritesOnly() {
    Frame moves = frame("com.example.Moves", "run", 1, 10);
    Findings findings =
        new Pins()
            .owner(moves.type().name(), new Owner.Application("classes"))
            .pin(1, 90, stack(moves), method(1, moves))
            .findings();
    Lock lock = Locks.of("com.example.Moves", List.of(method(1, moves).site()), List.of());
    Advice movable =
        Advisor.advise(
            findings, KnownFixes.load(), site -> new Decision.Movable(lock), type -> false);
    assertTrue(assumed(findings, movable).contains("Assumed: no code outside the class path"));
    assertFalse(assumed(findings, advice(findings)).contains("Assumed"));
    Findings none = new Pins().findings();
    assertFalse(assumed(none, advice(none)).contains("Assumed"));
  }

  /** A later Java alone read as if the one entry below freed less. */
  @Test
  void theOnlyEntryIsNamedBesideALaterJava() {
    Frame moves = frame("com.example.Moves", "run", 1, 10);
    Findings findings =
        new Pins()
            .owner(moves.type().name(), new Owner.Application("classes"))
            .pin(1, 90, stack(moves), method(1, moves))
            .findings();
    Lock lock = Locks.of("com.example.Moves", List.of(method(1, moves).site()), List.of());
    Advice movable =
        Advisor.advise(
            findings, KnownFixes.load(), site -> new Decision.Movable(lock), type -> false);
    String undecided = "To free all of it: run on Java ";
    String decided = "To free all of it: follow 1, or run on Java ";
    assertTrue(recommended(findings, advice(findings), NextSteps.NONE).contains(undecided));
    assertTrue(recommended(findings, movable, NextSteps.NONE).contains(decided));
  }

  private static String assumed(Findings findings, Advice advice) {
    return Formats.TEXT.write(
        new Report.Recommendations(
            findings, advice, Detail.BRIEF, Optional.of(Assumptions.WHOLE_PROGRAM), NextSteps.NONE),
        Style.PLAIN);
  }

  /** A command with a placeholder for the folder of the sources did not run. */
  @Test
  void whereNoSourcesAreKnownTheWayToAPatchIsSaid() {
    Frame moves = frame("com.example.Moves", "run", 1, 10);
    Findings findings =
        new Pins()
            .owner(moves.type().name(), new Owner.Application("classes"))
            .pin(1, 90, stack(moves), method(1, moves))
            .findings();
    Lock lock = Locks.of("com.example.Moves", List.of(method(1, moves).site()), List.of());
    Advice movable =
        Advisor.advise(
            findings, KnownFixes.load(), site -> new Decision.Movable(lock), type -> false);
    List<String> gate = List.of("vtdiag gate app.jfr");
    NextSteps patch = new NextSteps(gate, true, Optional.empty());
    String note = "name their folder with --sources";
    assertTrue(recommended(findings, movable, NextSteps.of(gate)).contains(note));
    assertFalse(recommended(findings, movable, patch).contains(note));
    assertFalse(recommended(findings, movable, NextSteps.NONE).contains(note));
    assertFalse(recommended(findings, advice(findings), NextSteps.of(gate)).contains(note));
  }

  private static String recommended(Findings findings, Advice advice, NextSteps next) {
    return Formats.TEXT.write(
        new Report.Recommendations(
            findings, advice, Detail.BRIEF, Map.of(), Optional.empty(), next),
        Style.PLAIN);
  }

  @Test
  void aTerminalGetsColourAndNoLineWiderThanItIs() {
    String report = text(findings(), new Style(true, 80));
    assertTrue(report.contains("\u001b["));
    String plain = report.replaceAll("\u001b\\[[0-9;]*m", "");
    for (String line : plain.lines().toList()) {
      assertTrue(line.length() <= 80, line);
    }
    assertEquals(
        text(findings(), Style.PLAIN).replaceAll("\\s+", " "), plain.replaceAll("\\s+", " "));
  }

  @Test
  void aPipeGetsNoCodes() {
    assertFalse(text(findings(), Style.PLAIN).contains("\u001b"));
  }

  @Test
  void moreThanAllCarrierTimeIsNotAShareOfIt() {
    Frame each = frame("com.example.Reply", "await", 1, 1);
    Pins pins = new Pins();
    for (int i = 0; i < 4; i++) {
      pins.pin(i, 60_000, stack(each), new PinCause.ObjectWait(each, "com.example.Reply"));
    }
    String report = text(pins.findings(), Style.PLAIN);
    assertTrue(
        report.contains("240 carrier-seconds. The regular carriers have 124; the scheduler adds"),
        report);
    assertFalse(report.contains("194%"), report);
  }

  /** The wait for a class has no method of its own. */
  @Test
  void aWaitForAClassHasNoEmptyMethod() {
    Frame reads = frame("com.example.Codec", "read", 1, 5);
    String report =
        text(
            new Pins()
                .pin(1, 50, stack(reads), new PinCause.AwaitedInitialization("com.example.Table"))
                .findings(),
            Style.PLAIN);
    assertTrue(
        report.contains(
            "       waits until another thread has initialized com.example.Table; waits in"),
        report);
    assertFalse(report.contains("Table. ("), report);
  }

  @Test
  void reasonsOfTheJvmAreExplained() {
    Pins pins = new Pins();
    pins.pin(1, 60, StackTrace.ABSENT, new PinCause.HiddenVmFrame("Freeze or preempt failed (2)"));
    String report = text(pins.findings(), Style.PLAIN);
    assertFalse(report.contains("1  Freeze or preempt failed"), report);
    assertTrue(
        report.contains(
            "critical section of the JVM, such as class loading, which no thread may leave (JFR:"
                + " Freeze or preempt failed (2))"),
        report);
    for (String reason :
        List.of("Freeze or preempt failed (5)", "Freeze or preempt failed (77)", "Something new")) {
      String other =
          text(
              new Pins()
                  .pin(1, 60, StackTrace.ABSENT, new PinCause.HiddenVmFrame(reason))
                  .findings(),
              Style.PLAIN);
      assertTrue(other.contains(reason), other);
    }
  }

  /** Two figures that read alike are one. */
  @Test
  void whatIsFreedForSureAndPerhapsIsARangeOnlyIfItReadsAsOne() {
    Frame run = frame("com.example.A", "run", 1, 1);
    Frame other = frame("com.example.A", "run", 1, 2);
    StackTrace cut = new StackTrace(List.of(other), true);
    for (boolean nearlyAll : new boolean[] {true, false}) {
      Pins pins =
          new Pins()
              .owner("com.example.A", new Owner.Jdk())
              .pin(1, nearlyAll ? 25_400 : 1_000, stack(run), method(0, run))
              .pin(1, nearlyAll ? 1 : 5_000, cut, method(0, run));
      String report = advised(pins.findings(), Style.PLAIN);
      assertTrue(
          report.contains(
              nearlyAll
                  ? " frees 25.4 of 25.4 carrier-seconds"
                  : " frees 1.0 to 6.0 of 6.0 carrier-seconds: some stacks"),
          report);
    }
    Pins unsure = new Pins().owner("com.example.A", new Owner.Jdk());
    unsure.pin(1, 5_000, cut, method(0, run));
    String report = advised(unsure.findings(), Style.PLAIN);
    assertTrue(report.contains(" frees up to 5.0 of 5.0 carrier-seconds: some stacks"), report);
  }

  /** Returns a pin in each of so many classes, the longest first. */
  private static Pins inClasses(int number) {
    Pins pins = new Pins();
    for (int i = 1; i <= number; i++) {
      Frame each = frame("com.example.C" + i, "run", 1, 1);
      pins.pin(1, 100 - i, stack(each), method(0, each));
    }
    return pins;
  }

  @Test
  void manyFindingsAreCutAndSaidToBe() {
    Pins pins = inClasses(23);
    String report = text(pins.findings(), Style.PLAIN);
    assertTrue(report.contains("com.example.C20.run"), report);
    assertFalse(report.contains("com.example.C21.run"), report);
    assertTrue(
        report.contains("  3 more: 3 of pins, 234 ms together. --json lists them all.\n"), report);
    assertTrue(json(pins.findings()).contains("com.example.C23.run"));
  }

  @Test
  void adviceThatSeveralEntriesShareIsSaidOnce() {
    Findings findings = inClasses(3).findings();
    String report = text(findings, Style.PLAIN);
    String advice =
        "> not decided whether a ReentrantLock can replace it: every other site of its lock";
    assertEquals(2, report.split(advice, -1).length, report);
    assertEquals(3, report.split("     > the same as for 1\\.\n", -1).length, report);
    String whole =
        Formats.TEXT.write(
            new Report.Analysis(findings, advice(findings), Detail.FULL, List.of()), Style.PLAIN);
    assertEquals(4, whole.split(advice, -1).length, whole);
  }

  @Test
  void aLibraryAtTheFixedVersionIsNotSaidToBeOld() {
    Frame execute = frame("org.postgresql.core.v3.QueryExecutorImpl", "execute", 20, 326);
    Pins pins =
        new Pins()
            .owner(
                execute.type().name(),
                new Owner.Library(new Coordinates("org.postgresql", "postgresql", "42.6.0"), ""))
            .pin(1, 50, stack(execute), method(0, execute));
    assertFalse(text(pins.findings(), Style.PLAIN).contains("upgrade "));
  }

  @Test
  void jsonKeepsItsSchema() throws IOException {
    assertValid(json(findings()));
    Frame frame = frame("com.example.A", "b", 1, 2);
    Pins others =
        new Pins()
            .jdk(0)
            .parallelismUnknown()
            .noAgent()
            .noSettings()
            .problem("cut off")
            .pin(1, 1, StackTrace.ABSENT, new PinCause.Unexplained("no stack"))
            .pin(1, 1, stack(frame, frame), new PinCause.AwaitedInitialization("com.example.C"))
            .pin(1, 1, stack(frame), new PinCause.HiddenVmFrame("Native or VM frame on stack"));
    assertValid(json(others.findings()));
  }

  @Test
  void jsonOfEveryVerdictKeepsItsSchema() throws IOException {
    for (long limit : new long[] {1, 10_000 * MILLI}) {
      assertValid(json(findings(), maxPin(limit)));
    }
    Findings none = new Pins().noSettings().findings();
    assertValid(json(none, maxPin(1)));
  }

  @Test
  void theSchemaRefusesWhatIsNotOurs() throws IOException {
    Validator.Result result =
        new ValidatorFactory()
            .withJsonNodeFactory(new JacksonNode.Factory())
            .validate(
                Files.readString(SCHEMA), json(findings()).replace("\"count\"", "\"number\""));
    assertFalse(result.isValid());
  }

  private static Policy maxPin(long nanos) {
    return Policies.of(
        List.of(new Policy.Limit(Measures.LONGEST_PIN, (double) nanos)), Policy.Evidence.NORMAL);
  }
}
