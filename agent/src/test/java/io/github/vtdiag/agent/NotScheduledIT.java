package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.BlockedLoop;
import io.github.vtdiag.agent.programs.LostCount;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Virtual threads that need a carrier, which their scheduler does not run, although it could. */
@Order(1)
class NotScheduledIT {
  @TempDir Path folder;

  /** Returns what is printed up to what ends it; the program would stand still for ever. */
  private List<String> told(Jdk jdk, Class<?> program, String argument) throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    jdk.java().toString(),
                    Forked.QUICK,
                    Forked.PATIENT,
                    "-Djdk.virtualThreadScheduler.parallelism=2",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                    AgentJar.option("output=s.jfr,warn=off,summary=off"),
                    "-cp",
                    AgentJar.PROGRAMS.toString(),
                    program.getName(),
                    argument))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      while (line != null) {
        lines.add(line);
        line = line.startsWith("[vtdiag]   ends: ") ? null : out.readLine();
      }
      return lines.stream().filter(each -> !each.startsWith("[vtdiag] this Java")).toList();
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "JAVA_21, 0, 2 of 2 carriers are free",
    "JAVA_25, 0, 2 of 2 carriers are free",
    "JAVA_21, 1, 1 of 2 carriers is free",
    "JAVA_25, 1, 1 of 2 carriers is free"
  })
  void theSchedulerOfTheJdkIsTold(Jdk jdk, String pinned, String free) throws Exception {
    List<String> lines = told(jdk, LostCount.class, pinned);
    assertEquals(
        "[vtdiag] not scheduled: 1 virtual thread needs a carrier and "
            + free
            + ", but the scheduler runs none of them",
        lines.getFirst(),
        lines::toString);
    assertTrue(
        lines.get(1).matches("\\[vtdiag]   virtual thread #\\d+ \"lost\" needs a carrier"),
        lines::toString);
    assertTrue(
        lines.get(2).startsWith("[vtdiag]   ends: when a carrier looks for work again"),
        lines::toString);
  }

  @ParameterizedTest
  @EnumSource
  void anEventLoopThatWaitsIsNamed(Jdk jdk) throws Exception {
    List<String> lines = told(jdk, BlockedLoop.class, "");
    assertEquals(
        "[vtdiag] not scheduled: 1 virtual thread needs a carrier of a scheduler that is not the"
            + " JDK's (event-loop), which runs none of them",
        lines.getFirst(),
        lines::toString);
    assertTrue(
        lines
            .get(1)
            .matches(
                "\\[vtdiag]   thread #\\d+ \"event-loop\" waits in io.github.vtdiag.agent.programs"
                    + ".BlockedLoop.waitFor:\\d+ for CountDownLatch\\$Sync@.*"),
        lines::toString);
    assertTrue(
        lines.get(2).matches("\\[vtdiag]   virtual thread #\\d+ \"client\" needs a carrier"),
        lines::toString);
    assertEquals(4, lines.size(), lines::toString);
  }

  /** Only the first mount tells which thread is the event loop. */
  @ParameterizedTest
  @EnumSource
  void anEventLoopThatNeverCarriedAnyThreadIsTold(Jdk jdk) throws Exception {
    List<String> lines = told(jdk, BlockedLoop.class, "never");
    assertTrue(
        lines
            .getFirst()
            .matches(
                "\\[vtdiag] not scheduled: 1 virtual thread needs a carrier of a scheduler that is"
                    + " not the JDK's \\(.*\\), which runs none of them"),
        lines::toString);
    assertTrue(
        lines.get(1).matches("\\[vtdiag]   virtual thread #\\d+ \"client\" needs a carrier"),
        lines::toString);
  }
}
