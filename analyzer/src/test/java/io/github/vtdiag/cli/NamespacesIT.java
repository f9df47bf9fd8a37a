package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.cli.programs.Attachable;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A JVM whose process ids and whose {@code /tmp} are others than those of the command line. */
final class NamespacesIT {
  private static final Path CLASSES = Path.of("target", "test-classes").toAbsolutePath();
  private static final String SCRIPT = "mount -t tmpfs none /tmp && exec \"$@\"";

  @TempDir private Path folder;
  private Process process;

  @AfterEach
  void end() {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().onExit().join();
    }
  }

  private String start(Jdk jdk) throws IOException {
    Path java = jdk.java();
    Path err = folder.resolve("err.txt");
    process =
        new ProcessBuilder(
                "unshare",
                "-m",
                "-p",
                "-f",
                "--mount-proc",
                "sh",
                "-c",
                SCRIPT,
                "sh",
                java.toString(),
                Forked.QUICK,
                "-XX:+EnableDynamicAgentLoading",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=jdk.jfr/jdk.jfr.internal.periodic=ALL-UNNAMED",
                "-cp",
                CLASSES.toString(),
                Attachable.class.getName())
            // Both are process 1 where they are, and name their recordings after that.
            .directory(Files.createTempDirectory(CLASSES.getParent(), "namespaces").toFile())
            .redirectError(err.toFile())
            .start();
    String first = process.inputReader().readLine();
    Assumptions.assumeTrue(
        first != null, () -> "NOT RUN: no namespaces can be made here: " + text(err));
    assertEquals("ready", first);
    return process.descendants().map(ProcessHandle::pid).findFirst().orElseThrow().toString();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private Forked run(String... arguments) throws Exception {
    Forked ran = CliJar.run(folder, arguments);
    assertEquals("", ran.err());
    assertEquals(0, ran.exitCode());
    return ran;
  }

  @ParameterizedTest
  @EnumSource
  void aJvmInOtherNamespacesIsReadAttachedToAndLeft(Jdk jdk) throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/unshare")), "NOT RUN: there is no unshare here");
    Assumptions.assumeTrue(
        !CLASSES.startsWith("/tmp") && !jdk.java().startsWith("/tmp"),
        "NOT RUN: what the program needs is below /tmp, which it does not see");
    String pid = start(jdk);
    assertTrue(run("ps").out().contains(pid + "  " + jdk.name().substring(5)), "ps");
    assertTrue(run("hang", "--inside", pid).out().startsWith("process " + pid + "  Java "), "hang");
    assertTrue(run("top", pid, "--once").out().startsWith(pid + " "), "top");
    String attached = run("attach", pid).out();
    assertTrue(
        attached.startsWith("vtdiag's agent is in process " + pid + " and records to "), attached);
    String told = attached.lines().findFirst().orElseThrow();
    Path recording = Path.of(told.substring(told.lastIndexOf(' ') + 1));
    run("detach", pid);
    Path there = Path.of("/proc", pid, "root").resolve(Path.of("/").relativize(recording));
    assertTrue(Files.size(there) > 0, there.toString());
  }
}
