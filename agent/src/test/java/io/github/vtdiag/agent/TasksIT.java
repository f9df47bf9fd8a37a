package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.Tasks;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The built agent finds a thread that waits for a task which waits for that thread's lock. */
class TasksIT {
  @TempDir Path folder;

  private Forked run(Jdk jdk, String way) throws IOException, InterruptedException {
    return Forked.run(
        folder,
        Map.of(),
        List.of(
            jdk.java().toString(),
            Forked.QUICK,
            Forked.PATIENT,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-Djdk.virtualThreadScheduler.maxPoolSize=2",
            AgentJar.option("output=h.jfr,watch=off,warn=off,summary=off,onhang=halt:7"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Tasks.class.getName(),
            way));
  }

  private static Stream<Arguments> onEach(String... ways) {
    return Stream.of(ways)
        .flatMap(way -> Stream.of(Jdk.values()).map(jdk -> Arguments.of(jdk, way)));
  }

  static Stream<Arguments> healthy() {
    return Stream.of("other-lock", "timed")
        .flatMap(way -> EitherJdk.Choice.of(way).map(jdk -> Arguments.of(jdk, way)));
  }

  @ParameterizedTest
  @MethodSource("healthy")
  void leavesAlone(Jdk jdk, String way) throws Exception {
    Forked program = run(jdk, way);
    assertEquals(0, program.exitCode(), program.err());
    assertEquals("done\n", program.out());
    assertFalse(program.err().contains("deadlock"), program.err());
  }

  static Stream<Arguments> ofTasks() {
    return onEach("lock-task", "monitor-task", "platform-task");
  }

  @ParameterizedTest
  @MethodSource("ofTasks")
  void findsTheTaskThatNeedsTheLock(Jdk jdk, String way) throws Exception {
    Forked program = run(jdk, way);
    assertDeadlock(program);
    String needs = way.equals("monitor-task") ? "entersMonitor" : "takesLock";
    String waits = " for the result of a task that virtual thread #\\d+ runs, now in .*\\." + needs;
    assertTold(program, ".* waits in .*\\.waitsForTask\\w+:\\d+" + waits + ":\\d+");
    assertTold(program, ".* waits in .*\\." + needs + ":\\d+ for .*, which .* holds.*");
    assertTold(
        program, ".*ends: not by itself; .* release the lock before the wait for that task.*");
    String json = Files.readString(folder.resolve("h-hang1.json"));
    assertTrue(json.contains("\"runnerThreadId\": \""), json);
  }

  static Stream<Arguments> ofThreads() {
    return onEach("lock-join", "monitor-join", "main-joins");
  }

  @ParameterizedTest
  @MethodSource("ofThreads")
  void findsTheJoinedThreadThatNeedsTheLock(Jdk jdk, String way) throws Exception {
    Forked program = run(jdk, way);
    assertDeadlock(program);
    assertTold(
        program, ".* waits in .*\\.joins\\w+:\\d+ until virtual thread #\\d+ ends, now in .*");
    String json = Files.readString(folder.resolve("h-hang1.json"));
    assertTrue(json.contains("\"joinedThreadId\": \""), json);
  }

  @ParameterizedTest
  @EnumSource
  void findsThreadsThatJoinEachOther(Jdk jdk) throws Exception {
    Forked program = run(jdk, "join-each-other");
    assertDeadlock(program);
    assertTold(
        program, ".*ends: not by itself; to prevent it, let none of these threads wait for .*");
  }

  private static void assertDeadlock(Forked program) {
    assertEquals(7, program.exitCode(), program.err());
    String verdict = "[vtdiag] deadlock: 2 threads wait for each other\n";
    assertTrue(program.err().contains(verdict), program.err());
  }

  private static void assertTold(Forked program, String line) {
    assertTrue(program.err().lines().anyMatch(told -> told.matches(line)), program.err());
  }
}
