package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import io.github.vtdiag.cli.programs.Hangs;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.WarmCommandLine;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code vtdiag hang}, asked about JVMs that run. */
@Order(1)
final class HangIT {
  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();

  @TempDir private Path folder;

  /** A JVM that has said that it is ready. */
  private final class Program implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final Path err;

    Program(Jdk jdk, List<String> options, String... arguments) throws IOException {
      List<String> command = new ArrayList<>(List.of(jdk.java().toString()));
      command.addAll(
          List.of(
              Forked.QUICK,
              Forked.PATIENT,
              "-Djdk.virtualThreadScheduler.parallelism=2",
              "-Djdk.virtualThreadScheduler.maxPoolSize=2"));
      command.addAll(options);
      command.addAll(List.of("-cp", CLASSES, Hangs.class.getName()));
      command.addAll(List.of(arguments));
      err = Files.createTempFile(folder, "err", ".txt");
      process = new ProcessBuilder(command).redirectError(err.toFile()).start();
      out = process.inputReader();
      assertEquals("ready", out.readLine());
    }

    String pid() {
      return Long.toString(process.pid());
    }

    /** Ends it, and expects that it has printed nothing more. */
    void endSilently() throws Exception {
      process.getOutputStream().close(); // It reads its standard input to know when.
      assertEquals(0, process.waitFor());
      assertEquals("", String.join("\n", out.lines().toList()));
      assertEquals("", Files.readString(err));
    }

    void awaitError(String text) throws Exception {
      while (!Files.readString(err).contains(text)) {
        assertTrue(process.isAlive());
        LockSupport.parkNanos(20_000_000);
      }
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

  private Forked hang(String... arguments) throws Exception {
    return WarmCommandLine.run(
        Jdk.JAVA_25, Stream.concat(Stream.of("hang"), Stream.of(arguments)).toArray(String[]::new));
  }

  private static void assertRefused(String sentence, Forked ran) {
    assertEquals("", ran.out());
    assertTrue(ran.err().matches("vtdiag: " + sentence + "\\R"), ran.err());
    assertEquals(3, ran.exitCode());
  }

  private static void assertSays(int exitCode, String part, Forked ran) {
    assertEquals("", ran.err());
    assertTrue(ran.out().contains(part), ran.out());
    assertEquals(exitCode, ran.exitCode(), ran.out());
  }

  @Test
  void aProcessThatIsNoJvmIsLeftAlone() throws Exception {
    Process other = new ProcessBuilder("cat").start();
    assertRefused(
        "process " + other.pid() + " is (not a JVM|no JVM that can be asked by this user);.*",
        hang(Long.toString(other.pid())));
    assertTrue(other.isAlive());
    other.getOutputStream().close();
    assertEquals(0, other.waitFor());
    assertRefused("there is no process " + other.pid() + "; .*", hang(Long.toString(other.pid())));
    assertRefused("there is no process 99999999999; .*", hang("99999999999"));
  }

  @ParameterizedTest
  @EnumSource
  void aJvmThatDoesNotWantToBeAskedPrintsNothing(Jdk jdk) throws Exception {
    // Without performance data only the options tell; asked all the same, it would print a dump.
    for (List<String> options :
        List.of(
            List.of("-XX:+DisableAttachMechanism"),
            List.of("-XX:+DisableAttachMechanism", "-XX:-UsePerfData"))) {
      try (Program program = new Program(jdk, options, "idle")) {
        assertRefused("process " + program.pid() + " refuses to be asked .*", hang(program.pid()));
        program.endSilently();
      }
    }
  }

  @Test
  void aStoppedProcessIsNotWaitedFor() throws Exception {
    try (Program program = new Program(Jdk.JAVA_25, List.of(), "idle")) {
      kill("-STOP", program);
      assertRefused("process " + program.pid() + " is stopped.*", hang(program.pid()));
      kill("-CONT", program);
      assertSays(0, "IDLE", hang(program.pid()));
      program.endSilently();
    }
  }

  private static void kill(String signal, Program program) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", signal, program.pid()).start().waitFor());
  }

  @Test
  void aProcessThatEndsBetweenTheLooksIsSaidToHaveEnded() throws Exception {
    try (Program program = new Program(Jdk.JAVA_25, List.of(), "idle")) {
      Path dump = folder.resolve("dump");
      Thread killer =
          new Thread(
              () -> {
                while (!Files.exists(dump.resolve("look-1.properties"))) {
                  Thread.onSpinWait();
                }
                program.process.destroyForcibly();
              });
      killer.start();
      Forked ran = hang(program.pid(), "--interval", "3s", "--dump", dump.toString());
      killer.join();
      assertRefused("process " + program.pid() + " has ended", ran);
    }
  }

  @Test
  void aJavaWithoutTheModuleSaysWhatToDo() throws Exception {
    Forked ran =
        Forked.java(
            Jdk.JAVA_25,
            folder,
            "--limit-modules",
            "java.base,java.logging,java.xml,jdk.zipfs",
            "-jar",
            CliJar.PATH.toString(),
            "hang",
            "1");
    assertTrue(ran.err().contains("this Java lacks the module jdk.attach; run vtdiag with a JDK"));
    assertEquals(3, ran.exitCode());
  }

  @ParameterizedTest
  @EnumSource
  void whatWaitsForWorkOrComputesDoesNotHang(Jdk jdk) throws Exception {
    try (Program program = new Program(jdk, List.of(), "idle")) {
      assertSays(0, "IDLE", hang(program.pid()));
      assertSays(0, "IDLE", hang(program.pid()));
      program.endSilently();
    }
    try (Program program = new Program(jdk, List.of(), "computing")) {
      // More of them than there are carriers: the others wait, but nothing stands still.
      assertSays(0, "RUNNING", hang(program.pid()));
      program.endSilently();
    }
    try (Program program = new Program(jdk, List.of(), "pool")) {
      Forked ran = hang(program.pid());
      assertSays(0, "WAITING  40 of 40 virtual threads", ran);
      assertTrue(ran.out().contains("io.github.vtdiag.cli.programs.Hangs.borrow"), ran.out());
      program.endSilently();
    }
  }

  /** A dump of Java 25 would crash it. Each of them is in the same place at almost any time. */
  @ParameterizedTest
  @EnumSource
  void threadsThatWakeEachOtherAreReadWithoutADump(Jdk jdk) throws Exception {
    try (Program program = new Program(jdk, List.of("-XX:+EnableDynamicAgentLoading"), "waking")) {
      Forked ran = hang(program.pid());
      if (jdk == Jdk.JAVA_25) {
        assertRefused(
            "process \\d+ runs Java 25\\.\\S+, where a thread dump can crash the JVM while virtual"
                + " threads run \\(JDK-8364343, fixed in 26\\), and they do; vtdiag hang --inside"
                + " \\d+ reads them without that risk",
            ran);
      } else {
        assertRunsOrWaits(ran);
      }
      for (int look = 0; look < 3; look++) {
        assertRunsOrWaits(hang(program.pid(), "--inside", "--interval", "100ms"));
      }
      program.endSilently();
    }
  }

  /** The advice to look from inside must not lead back to itself. */
  @ParameterizedTest
  @EnumSource
  void aProgramWithoutVirtualThreadsIsReadWhenAskedFromInside(Jdk jdk) throws Exception {
    try (Program program =
        new Program(jdk, List.of("-XX:+EnableDynamicAgentLoading"), "other-pool")) {
      Forked ran = hang(program.pid(), "--inside", "--interval", "100ms");
      assertEquals("", ran.err());
      assertEquals(0, ran.exitCode(), ran.out());
      program.endSilently();
    }
  }

  private static void assertRunsOrWaits(Forked ran) {
    assertEquals("", ran.err());
    assertTrue(ran.out().matches("(?s).*\\R(RUNNING|WAITING)  .*"), ran.out());
    assertEquals(0, ran.exitCode(), ran.out());
  }

  @ParameterizedTest
  @EnumSource
  void locksWhoseHolderNoDumpShowsAreNotKnown(Jdk jdk) throws Exception {
    try (Program program = new Program(jdk, List.of(), "locks")) {
      Forked ran = hang(program.pid());
      assertSays(4, "NOT_KNOWN  2 threads wait for locks", ran);
      assertTrue(ran.out().contains("2 in io.github.vtdiag.cli.programs.Hangs.locks"), ran.out());
      assertTrue(ran.out().contains("vtdiag hang --inside " + program.pid()), ran.out());
      program.endSilently();
    }
  }

  @ParameterizedTest
  @EnumSource
  void fromInsideItIsKnownWhoHasALock(Jdk jdk) throws Exception {
    Path kept = folder.resolve("inside");
    try (Program program = new Program(jdk, List.of("-XX:+EnableDynamicAgentLoading"), "locks")) {
      Forked ran = hang(program.pid(), "--inside", "--dump", kept.toString());
      assertSays(1, "DEADLOCK  2 threads wait for each other", ran);
      assertValid("dump", Files.readString(kept.resolve("look-1.json")));
      assertTrue(
          ran.out().matches("(?s).*\"one\" waits in .*Hangs.locks.*\"two\" holds, now in .*"),
          ran.out());
      Forked again = hang(kept.toString());
      assertEquals(ran.out().lines().skip(1).toList(), again.out().lines().skip(1).toList());
      program.endSilently();
    }
    try (Program program = new Program(jdk, List.of("-XX:+EnableDynamicAgentLoading"), "idle")) {
      // All accept on one socket, and only one of them reads it.
      Forked ran = hang(program.pid(), "--inside");
      assertTrue(ran.out().matches("(?s).*\\R(IDLE|WAITING)  .*"), ran.out());
      assertEquals(0, ran.exitCode());
      program.endSilently();
    }
  }

  /** Who has it, said by an agent that is there already: nothing is loaded for that. */
  @ParameterizedTest
  @EnumSource
  void whatTheAgentInItSeesIsSaid(Jdk jdk) throws Exception {
    String agent =
        "-javaagent:"
            + Path.of("..", "agent", "target", "vtdiag.jar").toRealPath()
            + "=output="
            + folder.resolve("a.jfr");
    try (Program program = new Program(jdk, List.of(agent), "locks")) {
      program.awaitError("deadlock: ");
      Forked ran = hang(program.pid());
      assertSays(1, "DEADLOCK  2 threads wait for each other, says vtdiag's agent in it", ran);
      assertTrue(
          ran.out().contains("\"two\" holds, now in io.github.vtdiag.cli.programs.Hangs.locks"));
      assertFalse(Files.readString(program.err).contains("WARNING"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void classesThatInitializeEachOtherAreADeadlock(Jdk jdk) throws Exception {
    try (Program program = new Program(jdk, List.of(), "classes")) {
      Forked ran = hang(program.pid());
      assertSays(1, "DEADLOCK  2 threads wait for each other", ran);
      assertTrue(
          ran.out().contains("until io.github.vtdiag.cli.programs.Hangs$Second is"), ran.out());
      program.endSilently();
    }
  }

  @ParameterizedTest
  @CsvSource({"JAVA_25,monitors,DEADLOCK", "JAVA_25,mixed,DEADLOCK", "JAVA_21,monitors,PROBABLY A"})
  void monitorsInTwoOrdersAreADeadlock(Jdk jdk, String what, String word) throws Exception {
    try (Program program = new Program(jdk, List.of(), what)) {
      Forked ran = hang(program.pid());
      assertSays(1, word, ran);
      assertTrue(ran.out().contains("Hangs.leftThenRight"), ran.out());
      assertTrue(ran.out().contains("Hangs.rightThenLeft"), ran.out());
      program.endSilently();
    }
  }

  @ParameterizedTest
  @EnumSource
  void nativeCodeThatKeepsAllCarriersStarves(Jdk jdk) throws Exception {
    Path fifo = folder.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    try (Program program = new Program(jdk, List.of(), "native", fifo.toString())) {
      Forked ran = hang(program.pid());
      assertSays(1, "STARVED  both carriers", ran);
      assertTrue(ran.out().contains("38 others need one"), ran.out());
      assertTrue(
          ran.out().contains("in native code in io.github.vtdiag.cli.programs.Hangs.open"),
          ran.out());
      program.endSilently();
    }
  }

  /** The other carrier is free, and nobody wants it. */
  @ParameterizedTest
  @EnumSource
  void nativeCodeThatKeepsOneCarrierIsNotIdle(Jdk jdk) throws Exception {
    Path fifo = folder.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    try (Program program = new Program(jdk, List.of(), "reader", fifo.toString())) {
      Forked ran = hang(program.pid());
      assertSays(4, "NOT_KNOWN  1 virtual thread keeps its carrier and stands still in nat", ran);
      assertTrue(ran.out().contains("io.github.vtdiag.cli.programs.Hangs.open"), ran.out());
      program.endSilently();
    }
  }

  /** On Java 25 the same program only waits for its lock. */
  @ParameterizedTest
  @CsvSource({"JAVA_21,1,STARVED", "JAVA_25,4,NOT_KNOWN"})
  void monitorsThatKeepAllCarriersStarveBefore24(Jdk jdk, int exitCode, String word)
      throws Exception {
    try (Program program = new Program(jdk, List.of(), "pinned")) {
      Forked ran = hang(program.pid());
      assertSays(exitCode, word, ran);
      if (jdk == Jdk.JAVA_21) {
        assertTrue(ran.out().contains("5 others need one"), ran.out());
        assertTrue(ran.out().contains("it holds the monitor of a parameter monitor"), ran.out());
      }
      program.endSilently();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatWasKeptSaysTheSame(Jdk jdk) throws Exception {
    Path kept = folder.resolve("kept dump");
    Forked live;
    try (Program program = new Program(jdk, List.of(), "classes")) {
      live = hang(program.pid(), "--dump", kept.toString());
      program.endSilently();
    }
    assertEquals(1, live.exitCode(), live.err());
    Forked again = hang(kept.toString());
    assertEquals(1, again.exitCode());
    assertEquals(live.out().lines().skip(1).toList(), again.out().lines().skip(1).toList());
    // The first dump alone is one look, which proves less.
    Forked one = hang(kept.resolve("look-1.json").toString());
    assertFalse(one.exitCode() == 0, one.out());
  }

  @Test
  void itRunsOnTheOldestJavaToo() throws Exception {
    try (Program program = new Program(Jdk.JAVA_25, List.of(), "monitors")) {
      Forked ran = CliJar.run(Jdk.JAVA_21, folder, "hang", program.pid());
      assertSays(1, "DEADLOCK", ran);
    }
  }

  @Test
  void aContainersProcessesAreToldApart() throws Exception {
    assumeTrue(new File("/usr/bin/unshare").canExecute());
    Path ready = folder.resolve("ready");
    // As in a container: its own numbers for processes, and folders for temporary files.
    Process process =
        new ProcessBuilder(
                "unshare",
                "--pid",
                "--mount",
                "--fork",
                "--mount-proc",
                "sh",
                "-c",
                // The classes may be below the folder that is about to disappear.
                "mount --bind "
                    + CLASSES
                    + " /mnt && mount -t tmpfs none /tmp; exec "
                    + Jdk.JAVA_25.java()
                    + " -cp /mnt "
                    + Hangs.class.getName()
                    + " monitors")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      assumeTrue("ready".equals(line), "no namespaces here: " + line);
      String inside = process.children().findFirst().map(ProcessHandle::pid).orElseThrow() + "";
      assertSays(1, "DEADLOCK", hang(inside));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertFalse(Files.exists(ready));
  }

  private static void assertValid(String schema, String json) throws Exception {
    Path file = Path.of("..", "docs", schema + ".schema.json");
    Validator.Result result =
        new ValidatorFactory()
            .withJsonNodeFactory(new JacksonNode.Factory())
            .validate(Files.readString(file), json);
    assertTrue(result.isValid(), () -> result.getErrors() + "\n" + json);
  }

  /** Whatever a program does, the JSON is what its schema says. */
  @ParameterizedTest
  @CsvSource({
    "JAVA_21,locks,4",
    "JAVA_25,locks,4",
    "JAVA_21,pinned,1",
    "JAVA_21,pool,0",
    "JAVA_25,computing,0",
    "JAVA_25,idle,0"
  })
  void jsonIsAsItsSchemaSays(Jdk jdk, String what, int exitCode) throws Exception {
    try (Program program = new Program(jdk, List.of(), what)) {
      Forked ran = hang(program.pid(), "--json", "--interval", "200ms");
      assertEquals(exitCode, ran.exitCode(), ran.out());
      assertValid("hang", ran.out());
    }
  }

  @Test
  void anotherUsersJvmIsSaidToBeThat() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can be somebody else");
    assumeTrue(new File("/usr/bin/setpriv").canExecute());
    // Where that user cannot read the JDK or the jar, there is nobody to ask.
    Path open = Files.createTempDirectory(Path.of("/tmp"), "vtdiag-test");
    try (Program program = new Program(Jdk.JAVA_25, List.of(), "idle")) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
      Path jar = Files.copy(CliJar.PATH, open.resolve("vtdiag-cli.jar"));
      Forked ran =
          Forked.run(
              open,
              Map.of("HOME", open.toString()),
              List.of(
                  "setpriv",
                  "--reuid=65534",
                  "--regid=65534",
                  "--clear-groups",
                  Jdk.JAVA_25.java().toString(),
                  "-jar",
                  jar.toString(),
                  "hang",
                  program.pid()));
      assumeTrue(ran.exitCode() != 127 && ran.exitCode() != 126, ran.err());
      assertRefused(
          "process " + program.pid() + " (belongs to root; run vtdiag as that user|may not.*)",
          ran);
      program.endSilently();
    } finally {
      try (Stream<Path> files = Files.list(open)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(open);
    }
  }

  @Test
  void aJvmThatIsStoppedBetweenTheLooksIsCalledStopped() throws Exception {
    try (Program program = new Program(Jdk.JAVA_25, List.of(), "idle")) {
      Path dump = folder.resolve("stopped");
      Thread stopper =
          new Thread(
              () -> {
                try {
                  while (!Files.exists(dump.resolve("look-1.properties"))) {
                    Thread.sleep(10);
                  }
                  kill("-STOP", program);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      stopper.start();
      Forked ran =
          hang(program.pid(), "--interval", "3s", "--timeout", "1s", "--dump", dump.toString());
      stopper.join();
      kill("-CONT", program);
      assertRefused("process " + program.pid() + " is stopped, so it cannot answer; .*", ran);
    }
  }

  @Test
  void jsonHasTheSameAnswer() throws Exception {
    try (Program program = new Program(Jdk.JAVA_25, List.of(), "monitors")) {
      Forked ran = hang(program.pid(), "--json");
      assertEquals(1, ran.exitCode());
      assertValid("hang", ran.out());
      Map<?, ?> json =
          new com.fasterxml.jackson.databind.ObjectMapper().readValue(ran.out(), Map.class);
      assertEquals("HANGS", json.get("outcome"));
      assertEquals(program.pid(), json.get("processId"));
      Map<?, ?> cycle = (Map<?, ?>) ((List<?>) json.get("diagnoses")).getFirst();
      assertEquals("LOCK_CYCLE", cycle.get("kind"));
      assertEquals(true, cycle.get("sure"));
      assertEquals(2, ((List<?>) cycle.get("cycle")).size());
    }
  }
}
