package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.Starves;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Carriers that threads keep while others need one: told when nobody gave one back for nine seconds
 * and more, and never of those that only take long.
 */
@Order(1)
class StarvedIT {
  @TempDir Path folder;

  private Process start(Jdk jdk, String way) throws IOException {
    List<String> command = new ArrayList<>(Forked.ON_ONE_PROCESSOR);
    command.addAll(
        List.of(
            jdk.java().toString(),
            Forked.QUICK,
            Forked.PATIENT,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-Djdk.virtualThreadScheduler.maxPoolSize=2",
            "-Djava.io.tmpdir=" + folder,
            AgentJar.option("output=s.jfr,warn=off,summary=off"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Starves.class.getName(),
            way));
    return new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
  }

  /** The verdict from its first line to its last; the program would go on for much longer. */
  private List<String> verdict(Jdk jdk, String way) throws IOException {
    List<String> said = new ArrayList<>();
    Process process = start(jdk, way);
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      while (line != null && !line.startsWith("[vtdiag] starved")) {
        said.add(line);
        line = out.readLine();
      }
      if (line == null) {
        throw new AssertionError(String.join("\n", said));
      }
      List<String> verdict = new ArrayList<>();
      while (line != null) {
        verdict.add(line);
        line = line.startsWith("[vtdiag]   ends: ") ? null : out.readLine();
      }
      return verdict;
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  /** On a busy machine it is told before the last of the three others has been started. */
  private static void assertStarved(String by, List<String> lines) {
    assertTrue(
        lines
            .getFirst()
            .matches(
                "\\[vtdiag] starved: both carriers are kept by "
                    + by
                    + ", and (1 other needs a carrier|[23] others need one)"),
        lines::toString);
  }

  @ParameterizedTest
  @EnumSource
  void saysWhatComputesForEver(Jdk jdk) throws Exception {
    List<String> lines = verdict(jdk, "computes");
    assertStarved("virtual threads that do not leave them", lines);
    assertTrue(
        lines
            .get(1)
            .matches(
                ".* virtual thread #\\d+ \"keeper-\\d\" keeps its carrier: it runs in"
                    + " io.github.vtdiag.agent.programs.Starves.compute:\\d+"),
        lines::toString);
    assertTrue(lines.get(3).startsWith("[vtdiag]   ends: when one of them waits or ends"));
  }

  @ParameterizedTest
  @EnumSource
  void saysWhatWaitsInNativeCode(Jdk jdk) throws Exception {
    List<String> lines = verdict(jdk, "native");
    assertStarved("virtual threads that stand still", lines);
    assertTrue(
        lines
            .get(1)
            .contains(
                "is in native code in io.github.vtdiag.agent.programs.Starves.waitInNativeCode"),
        lines::toString);
  }

  /** Native code that waits for a moment again and again uses a little processor time. */
  @ParameterizedTest
  @EnumSource
  void saysWhatComesBackToNativeCode(Jdk jdk) throws Exception {
    List<String> lines = verdict(jdk, "slow pipe");
    assertStarved("virtual threads that do not leave them", lines);
    assertTrue(
        lines
            .get(1)
            .contains(
                "is in native code in io.github.vtdiag.agent.programs.Starves.waitInNativeCode"),
        lines::toString);
    assertTrue(
        lines.get(3).startsWith("[vtdiag]   ends: when one of these native calls returns"),
        lines::toString);
  }

  @ParameterizedTest
  @EnumSource
  void saysWhatWaitsAgainAndAgain(Jdk jdk) throws Exception {
    List<String> lines = verdict(jdk, "polls");
    assertStarved("virtual threads that do not leave them", lines);
    assertTrue(
        lines.get(1).contains("initializes io.github.vtdiag.agent.programs.Starves$"),
        lines::toString);
    assertTrue(lines.get(1).contains(" and waits again and again in "), lines::toString);
  }

  /** On Java 25 the monitors keep no carrier. The server's threads are virtual and need one. */
  @ParameterizedTest
  @ValueSource(strings = {"asks itself", "asks itself by http"})
  void saysWhoAsksTheProgramItself(String way) throws Exception {
    List<String> lines = verdict(Jdk.JAVA_21, way);
    assertTrue(
        lines.getFirst().contains("kept by virtual threads that stand still, and "),
        lines::toString);
    assertTrue(
        lines
            .get(1)
            .matches(
                ".* and waits in io.github.vtdiag.agent.programs.Starves\\.\\S+ for an answer from"
                    + " port \\d+, on which this program itself listens"),
        lines::toString);
    assertTrue(
        lines.get(3).startsWith("[vtdiag]   ends: when this program answers itself"),
        lines::toString);
  }

  /** A platform thread reads at the other end: it may answer. */
  @ParameterizedTest
  @EnumSource(names = "JAVA_21")
  void whoReadsOnAPlatformThreadNeedsNoCarrier(Jdk jdk) throws Exception {
    List<String> lines = verdict(jdk, "asks platform threads");
    assertStarved("virtual threads that stand still", lines);
    assertFalse(String.join("\n", lines).contains("itself"), lines::toString);
  }

  /** The owner of the monitor is no virtual thread, and waits for what has no owner. */
  @Test
  void saysWhatAPlatformThreadWaitsForThatHoldsTheMonitor() throws Exception {
    List<String> lines = verdict(Jdk.JAVA_21, "owner waits");
    assertStarved("virtual threads that stand still", lines);
    assertTrue(
        lines.stream()
            .anyMatch(
                line ->
                    line.matches(
                        ".* thread #\\d+ \"owner\" waits in io.github.vtdiag.agent.programs.Starves"
                            + ".waitInside:\\d+ for CountDownLatch\\$Sync@.*")),
        lines::toString);
  }

  private void saysNothing(Jdk jdk, String way) throws Exception {
    Process process = start(jdk, way);
    try (BufferedReader out = process.inputReader()) {
      String said = String.join("\n", out.lines().toList());
      assertFalse(said.contains("starved") || said.contains("deadlock"), said);
      assertTrue(said.endsWith("done"), said);
    }
    assertEquals(0, process.waitFor());
  }

  @ParameterizedTest
  @EitherJdk
  void whoTakesLongTurnsStarvesNobody(Jdk jdk) throws Exception {
    saysNothing(jdk, "turns");
  }

  @ParameterizedTest
  @EitherJdk
  void whoYieldsStarvesNobody(Jdk jdk) throws Exception {
    saysNothing(jdk, "yields");
  }
}
