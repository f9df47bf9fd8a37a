package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.cli.programs.Attachable;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.WarmCommandLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code vtdiag ps}, {@code attach} and {@code detach}, on JVMs that run. */
final class AttachIT {
  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();

  private static final int LOOKS = 50;
  private static final int ROUNDS = 2;

  @TempDir private Path folder;

  /** A JVM that says what is in it. */
  private final class Program implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final Path err;

    Program(Jdk jdk, String... options) throws IOException {
      List<String> command = new ArrayList<>(List.of(jdk.java().toString()));
      command.addAll(
          List.of(
              Forked.QUICK,
              Forked.PATIENT,
              "--add-opens=java.base/java.lang=ALL-UNNAMED",
              "--add-opens=jdk.jfr/jdk.jfr.internal.periodic=ALL-UNNAMED"));
      command.addAll(List.of(options));
      command.addAll(List.of("-cp", CLASSES, Attachable.class.getName()));
      err = Files.createTempFile(folder, "err", ".txt");
      process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectError(err.toFile())
              .start();
      out = process.inputReader();
      assertEquals("ready", out.readLine());
    }

    String pid() {
      return Long.toString(process.pid());
    }

    String counts() throws IOException {
      process.outputWriter().append('\n').flush();
      return out.readLine();
    }

    /** What it printed besides the JVM's warnings. */
    List<String> errors() throws IOException {
      return Files.readAllLines(err).stream().filter(line -> !line.startsWith("WARNING")).toList();
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly().onExit().join();
      out.close();
    }
  }

  private static Forked vtdiag(String... arguments) throws Exception {
    return WarmCommandLine.run(Jdk.JAVA_25, arguments);
  }

  private static void assertSays(String pattern, Forked ran) {
    assertEquals("", ran.err());
    assertTrue(ran.out().matches("(?s)" + pattern), ran.out());
    assertEquals(0, ran.exitCode());
  }

  private static void assertRefused(String pattern, Forked ran) {
    assertEquals("", ran.out());
    assertTrue(ran.err().matches("vtdiag: " + pattern + "\\R"), ran.err());
    assertEquals(3, ran.exitCode());
  }

  @ParameterizedTest
  @EnumSource
  void nothingStaysOfAnAgentThatLeft(Jdk jdk) throws Exception {
    try (Program program = new Program(jdk)) {
      Path recording = folder.resolve("a.jfr");
      // The first time JFR itself starts, which stays.
      String left = round(program, recording);
      for (int i = 0; i < ROUNDS; i++) {
        Files.delete(recording);
        assertEquals(left, round(program, recording));
      }
      assertFalse(left.contains("vtdiag"), left);
      Forked analyzed = vtdiag("analyze", recording.toString(), "-v");
      assertEquals(0, analyzed.exitCode(), analyzed.err());
      assertEquals(
          jdk == Jdk.JAVA_21, analyzed.out().contains("Attachable.keepPinning"), analyzed.out());
      // Who lets it in and out again has all that was wanted.
      assertFalse(analyzed.out().contains("somebody stopped the recording"), analyzed.out());
      for (String line : program.errors()) {
        assertTrue(line.startsWith("[vtdiag] "), line);
      }
    }
  }

  /** Attaches and detaches; what is left then. */
  private String round(Program program, Path recording) throws Exception {
    assertSays(
        "vtdiag's agent is in process " + program.pid() + " and records to " + recording + "\\R.*",
        vtdiag("attach", program.pid(), "output=" + recording + ",threshold=1ms"));
    String during = program.counts();
    assertTrue(during.contains("vtdiag watch"), during);
    assertRefused(
        "vtdiag's agent is in process " + program.pid() + " already and records to .*",
        vtdiag("attach", program.pid(), "output=b.jfr"));
    assertSays(
        "vtdiag's agent has left process " + program.pid() + "; recording: .*",
        vtdiag("detach", program.pid()));
    assertTrue(Files.size(recording) > 0);
    String left = program.counts();
    // The thread that let the agent out answers before it ends.
    for (int i = 0; i < LOOKS && left.contains("vtdiag detach"); i++) {
      Thread.sleep(100);
      left = program.counts();
    }
    return left;
  }

  @Test
  void whatTheAgentRefusesIsSaidHere() throws Exception {
    try (Program program = new Program(Jdk.JAVA_25)) {
      assertRefused(
          "vtdiag's agent is not in process " + program.pid() + "; .*",
          vtdiag("detach", program.pid()));
      assertRefused(
          "vtdiag's agent does not start in process .*unknown option 'colour'.*",
          vtdiag("attach", program.pid(), "colour=red"));
      assertRefused(
          "vtdiag's agent does not start in process .*rewrite works only from.*",
          vtdiag("attach", program.pid(), "rewrite=auto"));
      // That was no agent.
      assertSays("vtdiag's agent is in .*", vtdiag("attach", program.pid(), "output=a.jfr"));
    }
    try (Program closed = new Program(Jdk.JAVA_25, "-XX:-EnableDynamicAgentLoading")) {
      assertRefused(
          "process " + closed.pid() + " lets no agent in while it runs .*",
          vtdiag("attach", closed.pid()));
      assertRefused(
          "process " + closed.pid() + " lets no agent in while it runs .*",
          vtdiag("hang", "--inside", closed.pid()));
      assertEquals(List.of(), closed.errors());
    }
    assertRefused("there is no process 99999999; .*", vtdiag("attach", "99999999"));
    assertRefused("there is no process x; .*", vtdiag("detach", "x"));
  }

  /** The jar that has both is good for those who load agents by other means. */
  @ParameterizedTest
  @EnumSource
  void theOneJarIsAnAgentToo(Jdk jdk) throws Exception {
    Path recording = folder.resolve("one.jfr");
    try (Program program = new Program(jdk)) {
      Path jcmd = Jdk.JAVA_25.java().resolveSibling("jcmd");
      Forked loaded =
          Forked.run(
              folder,
              Map.of(),
              List.of(
                  jcmd.toString(),
                  program.pid(),
                  "JVMTI.agent_load",
                  CliJar.PATH.toString(),
                  // Unquoted, the part before "=" would be an option of jcmd's.
                  "\"output=" + recording + "\""));
      assertEquals(0, loaded.exitCode(), loaded.err());
      assertTrue(loaded.out().contains("return code: 0"), loaded.out());
      // The last to begin; it listens to what comes next.
      while (!vtdiag("attach", program.pid()).err().contains("already and records to")) {
        assertTrue(program.process.isAlive());
      }
      Forked stopped =
          Forked.run(
              folder, Map.of(), List.of(jcmd.toString(), program.pid(), "JFR.stop", "name=vtdiag"));
      assertTrue(stopped.out().contains("Stopped recording"), stopped.out());
      assertTrue(Files.size(recording) > 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAgentOfTheCommandLineLeavesToo(Jdk jdk) throws Exception {
    String agent =
        "-javaagent:"
            + Path.of("..", "agent", "target", "vtdiag.jar").toRealPath()
            + "=output=c.jfr";
    try (Program program = new Program(jdk, agent, "-XX:-EnableDynamicAgentLoading")) {
      Forked listed = vtdiag("ps", "--json", "--count", program.pid());
      assertEquals(0, listed.exitCode(), listed.err());
      Map<?, ?> json = new ObjectMapper().readValue(listed.out(), Map.class);
      Map<?, ?> seen =
          ((List<?>) json.get("jvms"))
              .stream()
                  .map(each -> (Map<?, ?>) each)
                  .filter(each -> program.pid().equals(String.valueOf(each.get("pid"))))
                  .findFirst()
                  .orElseThrow();
      assertEquals(true, seen.get("agent"), listed.out());
      assertEquals(true, seen.get("usesVirtualThreads"), listed.out());
      assertTrue(String.valueOf(seen.get("java")).startsWith(jdk == Jdk.JAVA_21 ? "21" : "25"));
      if (seen.get("virtualThreads") instanceof Number number) {
        assertTrue(number.longValue() >= 1, listed.out());
      } else {
        // Its threads run, and to count them there would be to risk that JVM.
        assertEquals(Jdk.JAVA_25, jdk, listed.out());
        assertTrue(listed.err().contains("(JDK-8364343, fixed in 26)"), listed.err());
      }
      assertEquals(Attachable.class.getName(), seen.get("program"));
      assertSays("vtdiag's agent has left .*c\\.jfr.*", vtdiag("detach", program.pid()));
      assertFalse(program.counts().contains("vtdiag"));
      Forked gated =
          vtdiag(
              "gate", folder.resolve("c.jfr").toString(), "--max-pin", "1h", "--allow-unwatched");
      assertEquals(4, gated.exitCode(), gated.out());
      assertTrue(gated.out().contains("somebody stopped the recording after"), gated.out());
      Forked after = vtdiag("ps", program.pid());
      assertTrue(
          after.out().lines().anyMatch(line -> line.matches(" *" + program.pid() + " .* no .*")),
          after.out());
    }
  }
}
