package io.github.vtdiag.advice;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.Recommendation.ChangePattern;
import io.github.vtdiag.advice.Recommendation.UpgradeJdk;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Own code that runs long, or waits, inside a monitor of the JDK's: real programs on Java 21. */
final class JdkMonitorsTest {
  @TempDir Path folder;

  private Advice advise(String program) throws Exception {
    String classes =
        Path.of(JdkMonitors.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    Forked run =
        Forked.java(
            Jdk.JAVA_21,
            folder,
            Forked.QUICK,
            "-cp",
            classes,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-XX:StartFlightRecording=filename=a.jfr,jdk.VirtualThreadPinned#threshold=0ms,"
                + "jdk.JavaMonitorEnter#threshold=0ms,jdk.JavaMonitorWait#threshold=0ms",
            JdkMonitors.class.getName(),
            program);
    assertTrue(run.out().endsWith("done\n"), () -> run.out() + run.err());
    Path recording = folder.resolve("a.jfr");
    Findings findings =
        new Pipeline(List.of(classes), Optional.of(Jdk.JAVA_21.home()))
            .findings(
                List.of(new Input(recording.toString(), List.of(recording))),
                TimeRange.ALL,
                note -> {},
                count -> {});
    return Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, type -> false);
  }

  /** A library's use of such a map is not the user's to change. */
  @ParameterizedTest
  @CsvSource({
    "java.util.Hashtable,computeIfAbsent",
    "java.util.Collections$SynchronizedMap,merge",
    "java.io.PipedInputStream,read"
  })
  void whatALibraryDoesThereIsNotToBeChanged(String type, String name) {
    Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
    Frame holder = frame(type, name, 9, 500);
    Frame session = frame("com.example.db.Session", "query", 3, 10);
    Pins pins =
        new Pins()
            .owner(type, new Owner.Jdk())
            .owner(
                session.type().name(),
                new Owner.Library(new Coordinates("com.example", "db", "1.0"), "db.jar"))
            .pin(1, 50, stack(park, holder, session), method(1, holder));
    Findings findings = pins.findings();
    Advised library =
        Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, each -> false)
            .advised()
            .getFirst();
    assertInstanceOf(UpgradeJdk.class, library.recommendation());
    Advised own =
        Advisor.advise(
                findings,
                KnownFixes.load(),
                Advisor::unknown,
                each -> each.name().equals(session.type().name()))
            .advised()
            .getFirst();
    assertInstanceOf(ChangePattern.class, own.recommendation());
  }

  /** Nobody can replace a collection of the JDK's own code, such as its HTTP client. */
  @ParameterizedTest
  @CsvSource({
    "java.util.Hashtable,computeIfAbsent",
    "java.util.Collections$SynchronizedCollection,remove",
    "java.util.concurrent.ConcurrentHashMap,merge"
  })
  void aCollectionOfTheJdksOwnCodeIsNotToBeChanged(String type, String name) {
    Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
    Frame holder = frame(type, name, 9, 500);
    Frame wrapper = frame("java.util.Collections$SynchronizedSet", name, 9, 500);
    Frame server = frame("jdk.internal.net.http.HttpClientImpl", "close", 3, 10);
    Frame own = frame("com.acme.Api", "handle", 3, 10);
    Pins pins =
        new Pins()
            .owner(type, new Owner.Jdk())
            .pin(1, 50, stack(park, holder, wrapper, server, own), method(1, holder));
    Advised advised =
        Advisor.advise(pins.findings(), KnownFixes.load(), Advisor::unknown, each -> false)
            .advised()
            .getFirst();
    assertInstanceOf(UpgradeJdk.class, advised.recommendation());
  }

  /** The monitors of two classes' collections are two, each with its own advice. */
  @Test
  void threadsThatWaitForAnotherClasssCollectionHaveTheirOwnAdvice() {
    Advice advice = holderAndWaiting("com.acme.Reports.render", "com.acme.Other.drop");
    assertEquals(
        List.of("FUTURE_IN_MAP", "CONCURRENT_COLLECTION"),
        advice.entries().stream().map(JdkMonitorsTest::pattern).toList());
  }

  /**
   * A thread that waits to enter the monitor is freed by what is done about the thread that has it.
   */
  @ParameterizedTest
  @CsvSource({"com.acme.Reports.render", "com.acme.Reports.drop"})
  void threadsThatWaitForTheMonitorFollowItsHolder(String waiting) {
    Advice advice = holderAndWaiting("com.acme.Reports.render", waiting);
    assertEquals(
        List.of("FUTURE_IN_MAP"), advice.entries().stream().map(JdkMonitorsTest::pattern).toList());
    AdviceEntry entry = advice.entries().getFirst();
    assertEquals(2, entry.advised().size());
    assertEquals(entry.total(), entry.freed().nanos());
  }

  private static String pattern(AdviceEntry entry) {
    return assertInstanceOf(ChangePattern.class, entry.recommendation()).pattern().id();
  }

  private static Frame own(String method) {
    int dot = method.lastIndexOf('.');
    return frame(method.substring(0, dot), method.substring(dot + 1), 3, 10);
  }

  private static Advice holderAndWaiting(String holding, String waiting) {
    Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
    Frame compute = frame("java.util.Hashtable", "computeIfAbsent", 9, 500);
    Frame remove = frame("java.util.Hashtable", "remove", 9, 600);
    Pins pins =
        new Pins()
            .owner("java.util.Hashtable", new Owner.Jdk())
            .owner("com.acme.Reports", new Owner.Application("app"))
            .owner("com.acme.Other", new Owner.Application("app"));
    for (int thread = 1; thread <= 5; thread++) {
      pins.pin(thread, 60, stack(park, compute, own(holding)), method(1, compute));
      pins.pin(
          10 + thread,
          50,
          stack(remove, own(waiting)),
          new PinCause.MonitorEntry(remove, "java.util.Hashtable"));
    }
    return Advisor.advise(pins.findings(), KnownFixes.load(), Advisor::unknown, each -> false);
  }

  /** All threads that held the monitor or waited for it have one way out, and all are freed. */
  @ParameterizedTest
  @CsvSource({
    "table,FUTURE_IN_MAP",
    "map,FUTURE_IN_MAP",
    "sortedMap,FUTURE_IN_MAP",
    "properties,FUTURE_IN_MAP",
    "merged,PER_KEY_LOCK",
    "replaced,PER_KEY_LOCK",
    "visited,WORK_ON_COPY",
    "vector,WORK_ON_COPY",
    "looked,CONCURRENT_COLLECTION",
    "read,QUEUE_FOR_PIPE",
    "written,QUEUE_FOR_PIPE",
    "characters,QUEUE_FOR_PIPE"
  })
  void slowWorkInsideOneHasAPattern(String program, String pattern) throws Exception {
    Advice advice = advise(program);
    List<Advised> own =
        advice.advised().stream()
            .filter(each -> each.finding().title().contains("JdkMonitors"))
            .filter(each -> !each.finding().site().kind().isInitialization())
            .filter(each -> each.finding().site().kind() != PinKind.CLASS_LOADING)
            .toList();
    assertFalse(own.isEmpty(), advice::toString);
    for (Advised each : own) {
      ChangePattern change = assertInstanceOf(ChangePattern.class, each.recommendation());
      assertEquals(pattern, change.pattern().id());
      // A Properties keeps its entries in a ConcurrentHashMap, whose monitor is held as well.
      for (Recommendation besides : each.together()) {
        assertEquals(pattern, assertInstanceOf(ChangePattern.class, besides).pattern().id());
      }
      assertEquals(each.finding().total(), each.effect().ofFinding().upTo());
    }
    Set<String> entries =
        advice.entries().stream()
            .filter(entry -> own.containsAll(entry.advised()))
            .map(entry -> entry.recommendation().getClass().getSimpleName())
            .collect(Collectors.toSet());
    assertEquals(Set.of("ChangePattern"), entries);
  }
}
