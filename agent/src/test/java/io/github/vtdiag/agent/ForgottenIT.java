package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.Forgets;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The built agent tells of virtual threads that the JDK has forgotten, and of no others. */
class ForgottenIT {
  @TempDir Path folder;

  private Forked run(Jdk jdk, String way) throws Exception {
    Forked run =
        Forked.java(
            jdk,
            folder,
            Forked.QUICK,
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED",
            "-Djdk.virtualThreadScheduler.parallelism=3",
            AgentJar.option("output=f.jfr,watch=off,warn=off,summary=off"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Forgets.class.getName(),
            way);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("true done\n", run.out());
    return run;
  }

  @ParameterizedTest
  @EnumSource
  void whoWaitsForSomethingIsNotForgotten(Jdk jdk) throws Exception {
    assertFalse(run(jdk, "healthy").err().contains("lost wake-up"));
  }

  @ParameterizedTest
  @EnumSource
  void whoWasWokenOrWaitsForAFreeLockAndDoesNotGoOnIsForgotten(Jdk jdk) throws Exception {
    String told = run(jdk, "forgotten").err();
    boolean leavesCarrier = jdk == Jdk.JAVA_25;
    assertTrue(
        told.matches(
            "(?s).*\"parked\" waits in \\S+ for \\S+, and was woken: nothing in the program.*"),
        told);
    assertTrue(
        told.matches("(?s).*\"locks\" waits in \\S+ for \\S+, which nobody holds: nothing.*"),
        told);
    assertEquals(
        leavesCarrier,
        told.matches("(?s).*\"enters\" waits in \\S+ for \\S+, and was woken: nothing.*"),
        told);
  }
}
