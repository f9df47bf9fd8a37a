package samples.stalls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What stands still to the end of a recording is named, and nothing that has work or none. */
@Order(1)
@Execution(ExecutionMode.CONCURRENT) // each program sleeps for most of its time
class StallsIT {
  /** A machine with much else to do may not let the agent look often enough at first. */
  private static final List<Integer> SECONDS = List.of(14, 45);

  /**
   * Too short for a sample while a program runs: its first sample of a wait counts as the begin.
   */
  private static final int SHORTLY = 5;

  /** Too short for a wait that is long for itself. */
  private static final int BRIEFLY = 10;

  private static final int TRIES = 3;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void idleAndBusyThreadsDoNotStall(Jdk jdk) throws Exception {
    assertEquals(Optional.empty(), stall(jdk, "healthy", 14));
  }

  /** The same threads stand still, in the case of a failed producer. */
  @ParameterizedTest
  @EitherJdk
  void workersWhoseFeederHasDoneItsWorkAreIdle(Jdk jdk) throws Exception {
    assertEquals(Optional.empty(), stall(jdk, "fed", 45));
  }

  /** The last sample is taken when the program ends. */
  @ParameterizedTest
  @EnumSource
  void anOwnerThatKeepsItsLockForAWhileIsNotSaidToHaveFailed(Jdk jdk) throws Exception {
    Optional<String> stall = stall(jdk, "held", SHORTLY);
    // Of such a short recording nothing more is known.
    assertFalse(stall.orElse("").contains("failed"), stall.orElse(""));
  }

  /** Every sample before the last one sees less than is recorded while a program runs. */
  @ParameterizedTest
  @EnumSource
  void whatHasStoodStillForAFewSecondsIsNamedAtTheEnd(Jdk jdk) throws Exception {
    Optional<String> stall = Optional.empty();
    String said = "";
    for (int i = 0; i < TRIES && stall.isEmpty(); i++) {
      Path recording = recording("leftHeld");
      said = run(jdk, recording, "leftHeld", SHORTLY);
      stall = stall(recording);
    }
    assertTrue(stall.isPresent(), said);
    assertTrue(stall.get().contains("woken before by threads that have failed"), stall.get());
    assertTrue(said.contains("possible stall: nothing shows " + stall.get()), said);
  }

  /** A program that stands still from its begin on, and is ended before a wait is long. */
  @ParameterizedTest
  @EnumSource
  void ofAShortRecordingItIsSaidThatItIsTooShort(Jdk jdk) throws Exception {
    Optional<String> stall = Optional.empty();
    for (int i = 0; i < TRIES && stall.isEmpty(); i++) {
      stall = stall(jdk, "latch", BRIEFLY);
    }
    assertTrue(
        stall
            .orElse("")
            .endsWith("too short to tell whether they stand still, record 30 s or more"),
        stall.toString());
  }

  static Stream<Arguments> stalls() {
    return Stream.of(
            Map.entry("futures", "CompletableFuture"),
            Map.entry("permits", "Semaphore"),
            Map.entry("pool", "LinkedBlockingQueue|Stalling.usePool| back"),
            Map.entry("owner", "lock never released|ReentrantLock"),
            Map.entry("closed", "LinkedBlockingQueue|Stalling.serve"),
            Map.entry("closedAtOnce", "LinkedBlockingQueue|Stalling.serve|others wait"),
            Map.entry("child", "1 virtual thread (Process"),
            Map.entry("condition", "Condition"),
            Map.entry("latch", "CountDownLatch"),
            Map.entry(
                "left",
                "CountDownLatch|which a failed thread may have had to end:"
                    + " java.lang.IllegalStateException in samples.stalls.Stalling.load"),
            Map.entry(
                "stage",
                "CountDownLatch|which a failed thread may have had to end:"
                    + " java.lang.IllegalStateException in samples.stalls.Stalling.load"),
            Map.entry(
                "loop",
                "Thread.yield|Stalling.awaitFlag|until samples.stalls.Stalling.ready changes"),
            Map.entry("warm", "park|Stalling.awaitWarm|until samples.stalls.Stalling.warm changes"),
            Map.entry("itself", "1 virtual thread (Thread.join|for its own end"),
            Map.entry("attempts", "ReentrantLock|Stalling.tryAgain|until Lock.tryLock() succeeds"),
            Map.entry("answer", "socket|Stalling.ask|from port |output of a process"),
            Map.entry(
                "failed",
                "LinkedBlockingQueue|Stalling.serve|woken before by threads that have failed"),
            Map.entry("actors", "LinkedBlockingQueue|Stalling.talk"),
            Map.entry(
                "messages", "LinkedBlockingQueue|Stalling.talk|nobody is known to serve them"),
            Map.entry("again", "CompletableFuture|Stalling.askAgain|again and again"))
        .flatMap(
            each ->
                EitherJdk.Choice.of(each.getKey())
                    .map(jdk -> Arguments.of(jdk, each.getKey(), each.getValue())));
  }

  @ParameterizedTest
  @MethodSource("stalls")
  void whatStandsStillIsNamed(Jdk jdk, String program, String parts) throws Exception {
    Optional<String> stall = Optional.empty();
    for (int i = 0; i < SECONDS.size() && stall.isEmpty(); i++) {
      stall = stall(jdk, program, SECONDS.get(i));
    }
    assertTrue(stall.isPresent(), program);
    for (String part : parts.split("[|]", -1)) {
      assertTrue(stall.get().contains(part), program + ": " + stall.get());
    }
  }

  /** While it lasts, and that it has ended; a program that ends first has a last word on it. */
  @ParameterizedTest
  @EnumSource
  void aStallIsToldWhileItLasts(Jdk jdk) throws Exception {
    Path recording = recording("late");
    String said = run(jdk, recording, "late", 45);
    String stalled = "stalled: 20 virtual threads have waited for up to 3";
    assertTrue(said.contains("[vtdiag] " + stalled), said);
    assertTrue(said.contains("samples.stalls.Stalling.awaitPermit"), said);
    assertTrue(said.contains("[vtdiag] ended: " + stalled), said);
    assertFalse(said.contains("possible stall: nothing shows what would end"), said);
    assertEquals(Optional.empty(), stall(recording));
  }

  /** Who waits for a first signal may be idle: that is said once, and nothing of a hang. */
  @ParameterizedTest
  @EitherJdk
  void whatIsNotKnownIsSaidWhileItLasts(Jdk jdk) throws Exception {
    String said = run(jdk, recording("condition"), "condition", 45);
    String line = "possible stall: nothing shows what would end the waits of ";
    List<String> lasting = said.lines().filter(each -> each.endsWith(" so far")).toList();
    assertEquals(1, lasting.size(), said);
    assertTrue(lasting.getFirst().contains("[vtdiag] " + line), said);
    assertTrue(lasting.getFirst().contains("(Condition, samples.stalls.Stalling."), said);
    assertFalse(said.contains("stalled:"), said);
  }

  @ParameterizedTest
  @EnumSource
  void theExitSummaryNamesWhatStandsStill(Jdk jdk) throws Exception {
    String said = run(jdk, recording("permits"), "permits", 16);
    assertTrue(
        said.contains(
            "possible stall: nothing shows what would end the waits of 16 virtual threads"
                + " (Semaphore, "),
        said);
  }

  private Path recording(String name) throws IOException {
    return Files.createTempDirectory(folder, name).resolve("app.jfr");
  }

  private Optional<String> stall(Jdk jdk, String name, int seconds) throws Exception {
    Path recording = recording(name);
    run(jdk, recording, name, seconds);
    return stall(recording);
  }

  /** What is said of it on standard error. */
  private String run(Jdk jdk, Path recording, String name, int seconds) throws Exception {
    Forked program =
        Forked.java(
            jdk,
            folder,
            "-javaagent:"
                + Jdks.projectFolder().resolve("agent/target/vtdiag.jar")
                + "=output="
                + recording,
            Forked.QUICK,
            "-XX:+UseSerialGC",
            "-cp",
            Jdks.projectFolder().resolve("sample-apps/target/test-classes").toString(),
            "samples.stalls.Stalling",
            name,
            "" + seconds);
    assertEquals(0, program.exitCode(), program::err);
    return program.err();
  }

  /** That something stood still at the end, whether the agent had told of it or not. */
  private static Optional<String> stall(Path recording) throws Exception {
    Findings findings =
        new Pipeline(List.of(), Optional.empty())
            .findings(
                List.of(new Input(recording.toString(), List.of(recording))),
                TimeRange.ALL,
                note -> {},
                count -> {});
    return Stream.concat(
            findings.recordings().stream()
                .flatMap(facts -> facts.hangs().stream())
                .filter(SeenHang::isOngoing)
                .map(hang -> hang.lines().getFirst()),
            findings.gaps().stream()
                .filter(gap -> gap.kind() == Gap.Kind.STALLED_AT_END)
                .map(Gap::text))
        .findFirst();
  }
}
