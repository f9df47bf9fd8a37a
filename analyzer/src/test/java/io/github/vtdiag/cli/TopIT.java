package io.github.vtdiag.cli;

import static io.github.vtdiag.testing.Forked.ON_ONE_PROCESSOR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.cli.programs.Carrying;
import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.OlderJavas;
import io.github.vtdiag.testing.WarmCommandLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jline.utils.ScreenTerminal;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code vtdiag top}, on JVMs that run. */
@Order(1)
final class TopIT {
  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();
  private static final String PROGRAM = Carrying.class.getName();

  private static final Path AGENT = Path.of("..", "agent", "target", "vtdiag.jar").toAbsolutePath();

  private static final int AGAIN = 20;

  @TempDir private Path folder;

  /** A JVM that has said that it is ready. */
  private final class Program implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final Path err;

    Program(Jdk jdk, List<String> options, String... arguments) throws IOException {
      this(List.of(), jdk, options, arguments);
    }

    Program(List<String> on, Jdk jdk, List<String> options, String... arguments)
        throws IOException {
      List<String> command = new ArrayList<>(on);
      command.add(jdk.java().toString());
      command.addAll(
          List.of(
              Forked.QUICK,
              Forked.PATIENT,
              "-Djdk.virtualThreadScheduler.parallelism=2",
              "-Djdk.virtualThreadScheduler.maxPoolSize=2"));
      command.addAll(options);
      command.addAll(List.of("-cp", CLASSES, PROGRAM));
      command.addAll(List.of(arguments));
      err = Files.createTempFile(folder, "err", ".txt");
      process = new ProcessBuilder(command).redirectError(err.toFile()).start();
      out = process.inputReader();
      String line = out.readLine();
      // Before it, a JVM may warn of its options.
      while (line != null && !line.equals("ready")) {
        line = out.readLine();
      }
      assertEquals("ready", line);
    }

    String pid() {
      return Long.toString(process.pid());
    }

    /** The recordings that it makes, in the words of {@code jcmd}. */
    String recordings() throws Exception {
      return jcmd(pid(), "JFR.check").out();
    }

    /** Ends it, and expects that it has printed nothing more. */
    void endSilently() throws Exception {
      process.getOutputStream().close();
      assertEquals(0, process.waitFor());
      assertEquals("", String.join("\n", out.lines().toList()));
      assertEquals("", Files.readString(err));
    }

    @Override
    public void close() {
      process.destroyForcibly();
      try {
        out.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private Forked jcmd(String... arguments) throws Exception {
    return Forked.run(
        folder,
        Map.of(),
        Stream.concat(
                Stream.of(Jdk.JAVA_25.home().resolve("bin/jcmd").toString()), Stream.of(arguments))
            .toList());
  }

  /** In the JVM that runs many commands. */
  private static Forked top(String... arguments) throws Exception {
    return WarmCommandLine.run(
        Jdk.JAVA_25, Stream.concat(Stream.of("top"), Stream.of(arguments)).toArray(String[]::new));
  }

  private static JsonNode once(Program program) throws Exception {
    Forked ran = top(program.pid(), "--once", "--json", "--seconds", "2");
    assertEquals("", ran.err());
    assertEquals(0, ran.exitCode());
    assertEquals(1, ran.out().lines().count());
    return new ObjectMapper().readTree(ran.out());
  }

  /**
   * On a machine that does other things, carriers that compute may have no processor for a while.
   */
  private static JsonNode onceAllRun(Program program) throws Exception {
    JsonNode top = once(program);
    for (int again = 0; again < AGAIN && !states(top).equals(Set.of("RUNS")); again++) {
      top = once(program);
    }
    return top;
  }

  private static void assertRefused(int exitCode, String sentence, Forked ran) {
    assertEquals("", ran.out());
    assertTrue(ran.err().matches("vtdiag: " + sentence + "\\R"), ran.err());
    assertEquals(exitCode, ran.exitCode());
  }

  private static Set<String> states(JsonNode top) {
    Set<String> states = new TreeSet<>();
    top.get("carriers").forEach(carrier -> states.add(carrier.get("state").asText()));
    return states;
  }

  private static Stream<JsonNode> items(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  @Test
  void whatCannotBeAskedIsSaidInASentence() throws Exception {
    assertRefused(3, "there is no process 99999999999; .*", top("99999999999", "--once"));
    Process other = new ProcessBuilder("cat").start();
    assertRefused(
        3,
        "process " + other.pid() + " is (not a JVM|no JVM that can be asked by this user);.*",
        top(Long.toString(other.pid()), "--once"));
    other.getOutputStream().close();
    assertEquals(0, other.waitFor());
    try (Program program =
        new Program(Jdk.JAVA_25, List.of("-XX:+DisableAttachMechanism"), "idle")) {
      assertRefused(
          3, "process " + program.pid() + " refuses to be asked .*", top(program.pid(), "--json"));
      program.endSilently();
    }
  }

  @Test
  void wrongUsageIsSaidBeforeTheJvmIsAsked() throws Exception {
    assertRefused(2, "'app' is not a process id; .* see vtdiag top --help", top("app", "--once"));
    assertRefused(2, "--seconds must be 1 to 600; see .*", top("1", "--once", "--seconds", "0"));
    assertRefused(2, "--interval must be 100ms or more; see .*", top("1", "--interval", "1ms"));
    String here = Long.toString(ProcessHandle.current().pid());
    assertRefused(2, "there is no terminal to draw on; add --once .*", top(here));
    assertRefused(3, "there is no process 99999999; .*", top("99999999"));
  }

  @Test
  void anOlderJavaHasNoVirtualThreads() throws Exception {
    Path java = OlderJavas.launcher(OlderJavas.homes().getFirst());
    Path source = folder.resolve("Old.java");
    Files.writeString(
        source,
        """
        class Old {
          public static void main(String[] args) throws Exception {
            System.out.println("ready");
            System.in.read();
          }
        }
        """);
    Process old = new ProcessBuilder(java.toString(), source.toString()).start();
    try (BufferedReader out = old.inputReader()) {
      // A Java without a compiler cannot run it.
      assumeTrue("ready".equals(out.readLine()));
      assertRefused(
          3,
          "process " + old.pid() + " runs Java [0-9.]+, which has no virtual threads; .*",
          top(Long.toString(old.pid()), "--once"));
    } finally {
      old.destroyForcibly();
    }
  }

  @ParameterizedTest
  @EnumSource
  void pinsAreNamedByWhatHolds(Jdk jdk) throws Exception {
    try (Program program = new Program(jdk, List.of(), "pins")) {
      JsonNode top = once(program);
      JsonNode findings = top.get("pinned").get("findings");
      if (jdk == Jdk.JAVA_21) {
        assertTrue(
            items(findings)
                .anyMatch(
                    finding ->
                        finding.get("title").asText().equals(PROGRAM + ".sleepInMonitor")
                            && finding.get("cause").asText().startsWith("synchronized block")),
            top.toString());
        assertTrue(top.get("queued").isNull());
      } else {
        assertEquals(0, findings.size(), top.toString());
        assertFalse(top.get("queued").isNull());
      }
      assertTrue(program.recordings().contains("No available recordings"));
      program.endSilently();
    }
  }

  @ParameterizedTest
  @EnumSource
  void computingCarriersRun(Jdk jdk) throws Exception {
    try (Program program = new Program(jdk, List.of(), "computing")) {
      JsonNode top = onceAllRun(program);
      assertEquals(Set.of("RUNS"), states(top), top.toString());
      assertEquals(2, top.get("carriers").size());
      assertEquals(0, top.get("pinned").get("count").asLong());
      if (jdk == Jdk.JAVA_25) {
        // Two of four compute.
        assertEquals(2, top.get("queued").asLong(), top.toString());
        JsonNode where = top.get("carriers").get(0).get("thread").get("where");
        assertEquals(PROGRAM, where.get("class").asText());
      }
      program.endSilently();
    }
  }

  /** Its carriers are idle, so only the agent knows. */
  @ParameterizedTest
  @EnumSource
  void theAgentsHangsStandInTheHead(Jdk jdk) throws Exception {
    String agent = "-javaagent:" + AGENT + "=output=" + folder.resolve("app.jfr");
    try (Program program = new Program(jdk, List.of(agent), "locks")) {
      JsonNode hangs = once(program).get("hangs");
      for (int again = 0; again < AGAIN && hangs.isEmpty(); again++) {
        hangs = once(program).get("hangs");
      }
      assertEquals("LOCK_CYCLE", hangs.get(0).get("kind").asText());
      Forked text = top(program.pid(), "--once");
      assertTrue(text.out().contains("\nDEADLOCK: "), text.out());
    }
  }

  /**
   * The agent reports a wait when it has become twice as long, so that the last report may be far
   * older than the view.
   */
  @Test
  void theAgentKnowsSinceWhenAndWhereACarrierIsKept() throws Exception {
    String agent = "-javaagent:" + AGENT + "=output=" + folder.resolve("app.jfr");
    try (Program program = new Program(Jdk.JAVA_21, List.of(agent), "pinned for ever")) {
      // Past the report at four seconds, and before that at eight.
      Thread.sleep(4_500);
      JsonNode top = once(program);
      List<JsonNode> kept =
          items(top.get("carriers"))
              .filter(carrier -> carrier.get("state").asText().equals("BLOCKED"))
              .toList();
      assertEquals(2, kept.size(), top.toString());
      for (JsonNode carrier : kept) {
        JsonNode thread = carrier.get("thread");
        assertTrue(thread.get("exact").asBoolean(), top.toString());
        assertEquals(PROGRAM, thread.get("where").path("class").asText(), top.toString());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void idleCarriersAreNotBlocked(Jdk jdk) throws Exception {
    try (Program program = new Program(jdk, List.of(), "idle")) {
      JsonNode top = once(program);
      assertFalse(states(top).contains("BLOCKED"), top.toString());
      assertEquals(0, top.get("pinned").get("count").asLong());
      assertTrue(top.get("hangs").isEmpty(), top.toString());
      program.endSilently();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCallIntoNativeCodeThatWaitsBlocksItsCarrier(Jdk jdk) throws Exception {
    Path fifo = folder.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    try (Program program = new Program(jdk, List.of(), "native", fifo.toString())) {
      JsonNode top = once(program);
      List<JsonNode> blocked =
          items(top.get("carriers"))
              .filter(carrier -> carrier.get("state").asText().equals("BLOCKED"))
              .toList();
      assertEquals(1, blocked.size(), top.toString());
      assertTrue(blocked.getFirst().get("thread").get("nanos").asLong() > 0);
      if (jdk == Jdk.JAVA_25) {
        assertEquals("open", blocked.getFirst().get("thread").get("where").get("method").asText());
      }
      program.endSilently();
    }
  }

  @ParameterizedTest
  @EnumSource
  void fileInputAndOutputIsNoPin(Jdk jdk) throws Exception {
    try (Program program =
        new Program(jdk, List.of(), "files", folder.resolve("data").toString())) {
      JsonNode top = once(program);
      assertEquals(0, top.get("pinned").get("count").asLong(), top.toString());
      assertTrue(top.get("problem").isNull(), top.toString());
      program.endSilently();
    }
  }

  @Test
  void plainTextIsThatOfTheScreen() throws Exception {
    try (Program program =
        new Program(Jdk.JAVA_21, List.of(), "pins", "", "evil \u001b[31m \u202e name")) {
      Forked ran = CliJar.run(folder, "top", program.pid(), "--once", "--seconds", "2");
      assertEquals("", ran.err());
      assertEquals(0, ran.exitCode());
      assertTrue(ran.out().startsWith(program.pid() + " " + PROGRAM), ran.out());
      assertTrue(ran.out().contains("Queue: not known on Java 21 without"), ran.out());
      assertTrue(ran.out().contains(PROGRAM + ".sleepInMonitor, synchronized block"), ran.out());
      assertFalse(ran.out().contains("\u001b"), ran.out());
      assertFalse(ran.out().contains("\u202e"), ran.out());
      program.endSilently();
    }
  }

  @Test
  void aJvmThatCannotRecordShowsItsCarriers() throws Exception {
    try (Program program = new Program(Jdk.JAVA_25, List.of("-XX:-FlightRecorder"), "computing")) {
      JsonNode top = onceAllRun(program);
      assertEquals(Set.of("RUNS"), states(top), top.toString());
      assertTrue(top.get("pinned").isNull());
      assertTrue(
          top.get("problem").asText().endsWith("Flight Recorder is disabled."), top.toString());
      // Of its option the JVM has warned itself.
      assertTrue(program.process.isAlive());
    }
  }

  /** Starts it, and waits for its first line. */
  private Process lines(Program program) throws Exception {
    Process top =
        new ProcessBuilder(
                CommandLine.command(
                    Jdk.JAVA_25, List.of("top", program.pid(), "--json", "--interval", "200ms")))
            .start();
    new ObjectMapper().readTree(top.inputReader().readLine());
    return top;
  }

  @Test
  void aJvmThatEndsIsWatchedToItsEnd() throws Exception {
    try (Program program = new Program(Jdk.JAVA_25, List.of(), "idle")) {
      Process top = lines(program);
      program.process.destroyForcibly().waitFor();
      assertEquals(
          List.of("vtdiag: process " + program.pid() + " has ended"),
          top.errorReader().lines().toList());
      assertEquals(0, top.waitFor());
    }
  }

  @Test
  void nothingIsLeftBehindByOneThatIsToldToEnd() throws Exception {
    try (Program program = new Program(Jdk.JAVA_25, List.of(), "idle")) {
      Process top = lines(program);
      assertTrue(program.recordings().contains("vtdiag-top"), program.recordings());
      top.destroy();
      top.waitFor();
      assertTrue(program.recordings().contains("No available recordings"));
      program.endSilently();
    }
  }

  @Test
  void theRecordingOfOneThatIsKilledEndsByItself() throws Exception {
    try (Program program = new Program(Jdk.JAVA_21, List.of(), "idle")) {
      Process top = lines(program);
      top.destroyForcibly().waitFor();
      String left = program.recordings();
      assertTrue(left.contains("name=vtdiag-top-" + top.pid() + "-1a duration="), left);
      program.endSilently();
    }
  }

  /** A terminal of 80 columns and 24 lines, in which vtdiag runs. */
  private static final class Screen implements AutoCloseable {
    private final Process process;
    private final ScreenTerminal drawn = new ScreenTerminal(80, 24);
    private final StringBuilder all = new StringBuilder();
    private final Reader out;

    Screen(Program program, String... options) throws Exception {
      assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no script(1) to be a terminal");
      String command =
          "stty cols 80 rows 24; exec "
              + String.join(" ", CommandLine.start(Jdk.JAVA_25, "-Dvtdiag.columns=80"))
              + " top "
              + program.pid()
              + " "
              + String.join(" ", options);
      ProcessBuilder builder =
          new ProcessBuilder("/usr/bin/script", "-qefc", command, "/dev/null")
              .redirectErrorStream(true);
      builder.environment().put("TERM", "xterm-256color");
      builder.environment().put("SHELL", "/bin/sh");
      builder.environment().put("LC_ALL", "C.UTF-8");
      process = builder.start();
      out = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
    }

    /** Goes on until the screen has this text. */
    void await(String text) throws Exception {
      char[] some = new char[4096];
      while (!drawn.toString().contains(text)) {
        int read = out.read(some);
        assertTrue(read > 0, () -> "ended without " + text + ":\n" + all);
        all.append(some, 0, read);
        drawn.write(new String(some, 0, read));
      }
    }

    void type(String keys) throws Exception {
      process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    }

    /** Reads to the end, and expects the cursor and the first screen back. */
    int end() throws Exception {
      StringWriter rest = new StringWriter();
      out.transferTo(rest);
      all.append(rest);
      int code = process.waitFor();
      assertTrue(all.toString().contains("\u001b[?1049l"), all.toString());
      assertTrue(rest.toString().contains("\u001b[?25h"), all.toString());
      return code;
    }

    @Override
    public void close() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  @Test
  void theScreenObeysItsKeysAndGoesWithoutATrace() throws Exception {
    try (Program program = new Program(ON_ONE_PROCESSOR, Jdk.JAVA_25, List.of(), "computing");
        Screen screen = new Screen(program)) {
      screen.await("worker-2");
      screen.await("s sort: carrier");
      screen.type("s");
      screen.await("s sort: time");
      screen.type("h");
      screen.await("Any key goes back");
      screen.type("x");
      screen.await("CARRIER");
      screen.type("/worker-1\r");
      screen.await("filter worker-1");
      screen.type(" ");
      screen.await("PAUSED");
      screen.type("q");
      assertEquals(0, screen.end());
      assertTrue(program.recordings().contains("No available recordings"));
      program.endSilently();
    }
  }

  @Test
  void controlCEndsItLikeAnyOtherKeyWould() throws Exception {
    try (Program program = new Program(Jdk.JAVA_21, List.of(), "idle");
        Screen screen = new Screen(program, "--no-color")) {
      screen.await("CARRIER");
      screen.type("\u0003");
      assertEquals(0, screen.end());
      assertTrue(program.recordings().contains("No available recordings"));
      assertFalse(Pattern.compile("\u001b\\[[0-9;]*3[0-7]m").matcher(screen.all).find());
      program.endSilently();
    }
  }

  /** JLine has a hook of its own, which may close the terminal before. */
  @Test
  void aScreenThatIsKilledGivesTheTerminalBack() throws Exception {
    try (Program program = new Program(Jdk.JAVA_25, List.of(), "idle")) {
      killScreen(program, false);
      // It draws on its closed terminal until the program answers and ends the recording.
      killScreen(program, true);
      killScreen(program, true);
      program.endSilently();
    }
  }

  private static void killScreen(Program program, boolean whileStopped) throws Exception {
    try (Screen screen = new Screen(program)) {
      screen.await("CARRIER");
      if (whileStopped) {
        signal("-STOP", program);
      }
      screen.process.children().forEach(ProcessHandle::destroy);
      if (whileStopped) {
        Thread.sleep(1_500);
        signal("-CONT", program);
      }
      screen.end();
      assertFalse(screen.all.toString().contains("Exception"), screen.all.toString());
      assertFalse(screen.all.toString().contains("vtdiag: "), screen.all.toString());
    }
  }

  private static void signal(String name, Program program) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", name, "" + program.process.pid()).start().waitFor());
  }

  @Test
  void whatWasSeenLastStaysWhenTheJvmEnds() throws Exception {
    try (Program program = new Program(ON_ONE_PROCESSOR, Jdk.JAVA_25, List.of(), "computing");
        Screen screen = new Screen(program)) {
      screen.await("worker-2");
      program.process.destroyForcibly().waitFor();
      assertEquals(0, screen.end());
      String left = screen.all.substring(screen.all.lastIndexOf("\u001b[?1049l"));
      assertTrue(left.contains("worker-2"), left);
      assertTrue(left.contains("vtdiag: process " + program.pid() + " has ended"), left);
    }
  }
}
