package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.Hangs;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.PlaceText;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The built agent finds programs that hang, and leaves those alone that only look like it. */
@Order(2)
class HangIT {
  private static final String HANG = "deadlock";
  private static final String WITH_STRUCTS = "-Dvtdiag.vmstructs=true";
  private static final String WITHOUT_STRUCTS = "-Dvtdiag.vmstructs=false";

  @TempDir Path folder;

  private Forked run(Jdk jdk, String way, String onHang) throws IOException, InterruptedException {
    return run(jdk, way, onHang, WITH_STRUCTS);
  }

  private Forked run(Jdk jdk, String way, String onHang, String property)
      throws IOException, InterruptedException {
    return run(jdk.java(), onHang, property, List.of(way));
  }

  private Forked run(Path java, String onHang, String property, List<String> ways)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            java.toString(),
            Forked.QUICK,
            Forked.PATIENT,
            property,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-Djdk.virtualThreadScheduler.maxPoolSize=2",
            AgentJar.option("output=h.jfr,watch=off,warn=off,summary=off,onhang=" + onHang),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Hangs.class.getName()));
    command.addAll(ways);
    return Forked.run(folder, Map.of(), command);
  }

  private List<RecordedEvent> hangs() throws IOException {
    return RecordingFile.readAllEvents(folder.resolve("h.jfr")).stream()
        .filter(event -> event.getEventType().getName().equals(Events.HANG))
        .toList();
  }

  private static Stream<Arguments> onEach(String... ways) {
    return Stream.of(ways)
        .flatMap(way -> Stream.of(Jdk.values()).map(jdk -> Arguments.of(jdk, way)));
  }

  static Stream<Arguments> healthy() {
    return Stream.of(
            "initializer", "own-monitors", "same-field", "same-parameter", "reflective-initializer")
        .flatMap(way -> EitherJdk.Choice.of(way).map(jdk -> Arguments.of(jdk, way)));
  }

  @ParameterizedTest
  @MethodSource("healthy")
  void leavesAlone(Jdk jdk, String way) throws Exception {
    Forked program = run(jdk, way, "halt:7");
    assertEquals(0, program.exitCode(), program.err());
    assertEquals("done\n", program.out());
    assertFalse(program.err().contains(HANG), program.err());
    assertEquals(List.of(), hangs());
  }

  private static final List<String> WITH_LOCKS =
      List.of("two-orders", "try-lock", "queue", "sleeping-owner", "conditions", "hand-over-hand");

  /**
   * The programs that run at the same time in one JVM, whose locks have nothing to do with each
   * other.
   */
  private static final Map<Jdk, Forked> TOGETHER = new EnumMap<>(Jdk.class);

  static Stream<Arguments> healthyTogether() {
    return Stream.of(Jdk.values())
        .flatMap(jdk -> WITH_LOCKS.stream().map(way -> Arguments.of(jdk, way)));
  }

  /** One after the other, so that only one waits for the JVM that they share. */
  @ParameterizedTest
  @MethodSource("healthyTogether")
  @Execution(ExecutionMode.SAME_THREAD)
  void leavesAloneBesideOthers(Jdk jdk, String way) throws Exception {
    Path java = jdk.java();
    if (!TOGETHER.containsKey(jdk)) {
      TOGETHER.put(jdk, run(java, "halt:7", WITH_STRUCTS, WITH_LOCKS));
      assertEquals(List.of(), hangs());
    }
    Forked programs = TOGETHER.get(jdk);
    assertEquals(0, programs.exitCode(), programs.err());
    assertTrue(programs.out().contains(way + " done\n"), programs.out());
    assertTrue(programs.out().endsWith("done\n"), programs.out());
    assertFalse(programs.err().contains(HANG), programs.err());
  }

  /** A program that is told of where it is not turned off: see below. */
  @ParameterizedTest
  @EnumSource
  void doesNotLookIfTurnedOff(Jdk jdk) throws Exception {
    Forked program = run(jdk, "interrupted-later", "off");
    assertEquals(0, program.exitCode(), program.err());
    assertEquals(List.of(), hangs());
    // On a busy machine the agent may say that it started late, and nothing else.
    assertEquals(
        "", program.err().replaceFirst("\\[vtdiag] the recording had not started when .*\n", ""));
  }

  /** Variations of another one that differ between the JDKs in nothing else run on one of them. */
  static Stream<Arguments> hanging() {
    return Stream.concat(
        onEach(
            "locks",
            "monitors",
            "static-monitors",
            "mixed",
            "classes",
            "class-for-name",
            "loaders",
            "pinning",
            "pinning-sleeper"),
        Stream.of("three", "platform", "superclass", "new-instance")
            .flatMap(way -> EitherJdk.Choice.of(way).map(jdk -> Arguments.of(jdk, way))));
  }

  /** Where the JVM does not let itself be read, these monitors are known by their class alone. */
  @ParameterizedTest
  @ValueSource(strings = {"monitors", "mixed", "loaders"})
  void isProbableByTheLockMapsAlone(String way) throws Exception {
    Forked program = run(Jdk.JAVA_21, way, "halt:7", WITHOUT_STRUCTS);
    assertEquals(7, program.exitCode(), program.err());
    String verdict = "[vtdiag] probably a deadlock: 2 threads wait for each other\n";
    assertTrue(program.err().contains(verdict), program.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"own-monitors", "same-field", "same-parameter"})
  void leavesAloneByTheLockMapsAlone(String way) throws Exception {
    Forked program = run(Jdk.JAVA_21, way, "halt:7", WITHOUT_STRUCTS);
    assertEquals(0, program.exitCode(), program.err());
    assertEquals(List.of(), hangs());
  }

  /** Which class they wait for is known to the JVM alone. */
  private static final List<String> PROBABLE = List.of("class-for-name", "new-instance");

  @ParameterizedTest
  @MethodSource("hanging")
  void findsAndEndsIt(Jdk jdk, String way) throws Exception {
    Forked program = run(jdk, way, "halt:7");
    assertEquals(7, program.exitCode(), program.err());
    String verdict =
        (PROBABLE.contains(way) ? "probably a " : "")
            + (way.startsWith("pinning")
                ? "deadlock by pinning: both carriers are kept by virtual threads that wait for"
                    + " one that needs a carrier"
                : "deadlock: " + (way.equals("three") ? 3 : 2) + " threads wait for each other");
    assertTrue(program.err().contains("[vtdiag] " + verdict + "\n"), program.err());
    assertTrue(
        program.err().contains(" waits in io.github.vtdiag.agent.programs.Hangs"), program.err());

    RecordedEvent event = hangs().getFirst();
    assertEquals(
        way.startsWith("pinning") ? "DeadlockByPinning" : "LockCycle", event.getString("kind"));
    assertTrue(event.getBoolean("deadlock"));
    assertFalse(event.getBoolean("ended"));
    assertTrue(event.getString("text").startsWith(verdict + "\n"), event.getString("text"));

    List<HangPlace> places = PlaceText.parse(event.getString("places"));
    assertTrue(
        places.stream().anyMatch(place -> place.method().startsWith(Hangs.class.getName())),
        places::toString);
    assertFalse(event.getString("places").contains("@"), places::toString);
    List<String> locks =
        event.getString("locks").lines().map(lock -> lock.replaceAll(".*\\.", "")).toList();
    List<String> told =
        Pattern.compile("[\\w$]+@[0-9a-f]+")
            .matcher(event.getString("text"))
            .results()
            .map(MatchResult::group)
            .toList();
    assertTrue(locks.containsAll(told), event::toString);

    String text = Files.readString(folder.resolve("h-hang1.txt"));
    assertTrue(text.startsWith(verdict + "\n"), text);
    String json = Files.readString(folder.resolve("h-hang1.json"));
    assertTrue(json.startsWith("{\n  \"threadDump\": {\n"), json);
    assertTrue(json.contains("\"runtimeVersion\": \"" + jdk.name().substring(5)), json);
    assertTrue(json.contains("\"virtual\": true"), json);
    assertTrue(json.contains("io.github.vtdiag.agent.programs.Hangs"), json);
    assertTrue(json.contains("\"state\": \"RUNNABLE\""), json);
    if (way.equals("locks")) {
      assertTrue(json.contains("\"state\": \"WAITING\""), json);
      assertEquals(3, json.split("\"exclusiveOwnerThreadId\": ", -1).length, json);
    }
    if (way.equals("monitors")) {
      assertTrue(program.err().contains("Hangs$Account@"), program.err());
      assertTrue(program.err().contains("Hangs$Ledger@"), program.err());
      assertTrue(
          program.err().contains(" holds in io.github.vtdiag.agent.programs.Hangs"), program.err());
    }
    if (way.equals("static-monitors")) {
      assertEquals(3, json.split("\"blockedOn\": ", -1).length, json);
      assertTrue(json.contains("\"monitorsOwned\": "), json);
    }
  }

  @ParameterizedTest
  @EnumSource
  void namesTheOwnerOfALockThatHasEnded(Jdk jdk) throws Exception {
    Forked program = run(jdk, "ended-owner", "halt:7");
    assertEquals(7, program.exitCode(), program.err());
    String verdict =
        "\\[vtdiag] lock never released: 2 threads wait for ReentrantLock\\$NonfairSync@[0-9a-f]+,"
            + " whose owner, thread #[0-9]+ \"leaver\", has ended";
    assertTrue(program.err().lines().anyMatch(line -> line.matches(verdict)), program.err());
    assertEquals("NeverReleased", hangs().getFirst().getString("kind"));
    String json = Files.readString(folder.resolve("h-hang1.json"));
    assertTrue(json.contains("\"exclusiveOwnerEnded\": \"leaver\""), json);
  }

  /** The JDK keeps who has a read lock only of the first of all readers. */
  @ParameterizedTest
  @EnumSource
  void namesTheReaderThatHasEndedOrWaitsForItself(Jdk jdk) throws Exception {
    Forked ended = run(jdk, "ended-reader", "halt:7");
    assertEquals(7, ended.exitCode(), ended.err());
    assertTrue(
        ended.err().contains("whose owner, thread #")
            && ended.err().contains("\"leaver\", has ended"),
        ended.err());
    Forked upgrade = run(jdk, "upgrade", "halt:7");
    assertEquals(7, upgrade.exitCode(), upgrade.err());
    assertTrue(
        upgrade.err().contains("deadlock: a thread waits for a lock that it has itself"),
        upgrade.err());
    assertTrue(
        upgrade.err().contains("release the read lock before the write lock"), upgrade.err());
  }

  @ParameterizedTest
  @EnumSource
  void saysThatItHasEnded(Jdk jdk) throws Exception {
    Process program =
        new ProcessBuilder(
                jdk.java().toString(),
                Forked.QUICK,
                Forked.PATIENT,
                AgentJar.option("output=h.jfr,watch=off,warn=off,summary=off"),
                "-cp",
                AgentJar.PROGRAMS.toString(),
                Hangs.class.getName(),
                "interrupted")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader out = program.inputReader();
        OutputStream in = program.getOutputStream()) {
      skipTo("[vtdiag] deadlock: 2 threads wait for each other", out);
      in.write(1);
      in.flush();
      skipTo("[vtdiag] ended: deadlock: 2 threads wait for each other", out);
      in.write(1);
      in.flush();
      skipTo("done", out);
      assertEquals(0, program.waitFor());
      assertFalse(hangs().isEmpty());
    } finally {
      program.destroyForcibly().onExit().join();
    }
  }

  private static void skipTo(String line, BufferedReader out) throws IOException {
    String next = out.readLine();
    while (next != null && !next.equals(line)) {
      next = out.readLine();
    }
    assertEquals(line, next);
  }
}
