package io.github.vtdiag.entry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.tools.attach.VirtualMachine;
import io.github.vtdiag.agent.AgentJar;
import io.github.vtdiag.agent.programs.Ends;
import io.github.vtdiag.agent.programs.Waits;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.OlderJavas;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** The built agent in JVMs that it cannot diagnose, and attached to programs that run already. */
class EntryIT {
  /** What any Java can run; what ours can do is tried with the other programs. */
  private static final String OLD_PROGRAM =
      """
      public class Old {
        public static void main(String[] args) throws Exception {
          System.out.println("ready");
          System.err.println("err");
          if (args[0].equals("wait")) {
            System.in.read();
          }
          if (args[0].equals("throw")) {
            throw new IllegalStateException("as asked");
          }
          System.out.println("done");
          System.exit(7);
        }
      }
      """;

  @TempDir Path folder;

  /** What a program does that is attached to when it has said that it is ready. */
  private interface Attacher {
    void attach(VirtualMachine machine) throws Exception;
  }

  private void compileOldProgram() throws IOException {
    Path source = Files.writeString(folder.resolve("Old.java"), OLD_PROGRAM);
    String[] arguments = {"--release", "8", "-Xlint:-options", source.toString()};
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments));
  }

  private Forked old(Path home, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(OlderJavas.launcher(home).toString()));
    command.addAll(List.of(arguments));
    return Forked.run(folder, environment, command);
  }

  private Forked attached(Path java, List<String> arguments, Attacher attacher) throws Exception {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(arguments);
    Path err = Files.createTempFile(folder, "err", ".txt");
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectError(err.toFile()).start();
    try (BufferedReader out = process.inputReader()) {
      assertEquals("ready", out.readLine());
      VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
      try {
        attacher.attach(machine);
      } finally {
        machine.detach();
      }
      process.outputWriter().append('\n').close();
      String rest = out.lines().collect(Collectors.joining("\n"));
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), "the program hangs");
      return new Forked(process.exitValue(), rest, Files.readString(err));
    } finally {
      process.destroyForcibly();
    }
  }

  private Forked attached(Jdk jdk, List<String> options, String... load) throws Exception {
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(
        List.of(
            Forked.QUICK,
            Forked.PATIENT,
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Waits.class.getName(),
            "warm"));
    return attached(
        jdk.java(),
        arguments,
        machine -> {
          for (String agentOptions : load) {
            machine.loadAgent(AgentJar.PATH.toString(), agentOptions);
          }
        });
  }

  private static List<String> agentLines(Forked run) {
    return AgentJar.said(run.err());
  }

  /** Newer JVMs warn of every agent that is attached. */
  private static String otherLines(Forked run) {
    return run.err()
        .lines()
        .filter(line -> !line.startsWith("[vtdiag]") && !line.startsWith("WARNING: "))
        .collect(Collectors.joining("\n"));
  }

  private List<RecordedEvent> pins(String file) throws IOException {
    return RecordingFile.readAllEvents(folder.resolve(file)).stream()
        .filter(event -> event.getEventType().getName().equals(Events.PINNED))
        .filter(event -> event.getDuration().toMillis() >= 100)
        .toList();
  }

  private boolean hasRecording() throws IOException {
    try (var files = Files.list(folder)) {
      return files.anyMatch(file -> file.toString().endsWith(".jfr"));
    }
  }

  @Test
  void anOlderJavaSaysSoInOneLineAndRunsItsProgram() throws Exception {
    compileOldProgram();
    for (Path home : OlderJavas.homes()) {
      for (String way : List.of("exit", "throw")) {
        Forked bare = old(home, Map.of(), "-cp", ".", "Old", way);
        for (String options : List.of("", "output=a.jfr,warn=50ms", "colour=red", "rewrite=auto")) {
          Forked run = old(home, Map.of(), AgentJar.option(options), "-cp", ".", "Old", way);
          assertEquals(bare.exitCode(), run.exitCode(), run.err());
          assertEquals(bare.out(), run.out());
          assertEquals(bare.err().strip(), otherLines(run));
          List<String> lines = agentLines(run);
          assertEquals(1, lines.size(), run.err());
          assertTrue(
              lines
                  .getFirst()
                  .matches(
                      "\\[vtdiag] this is Java \\d+, but vtdiag needs Java 21 or later; "
                          + (options.startsWith("colour") ? "unknown option 'colour'; " : "")
                          + "running without the agent"),
              run.err());
        }
      }
      assertFalse(hasRecording());
    }
  }

  @Test
  void anOlderJavaRunsNothingIfAskedTo() throws Exception {
    compileOldProgram();
    for (Path home : OlderJavas.homes()) {
      Forked option =
          old(home, Map.of(), AgentJar.option("onerror=fail"), "-cp", ".", "Old", "exit");
      Forked variable =
          old(
              home,
              Map.of("VTDIAG_OPTIONS", "onerror=fail"),
              AgentJar.option(""),
              "-cp",
              ".",
              "Old",
              "exit");
      for (Forked run : List.of(option, variable)) {
        assertEquals(2, run.exitCode());
        assertEquals("", run.out());
        assertTrue(
            run.err().endsWith("21 or later; not starting the program (onerror=fail)\n"),
            run.err());
        assertEquals(1, run.err().lines().count(), run.err());
      }
    }
  }

  @Test
  void anOlderJavaThatIsAttachedToSaysSoInOneLineAndGoesOn() throws Exception {
    compileOldProgram();
    for (Path home : OlderJavas.homes()) {
      Forked run =
          attached(
              OlderJavas.launcher(home),
              List.of("-cp", ".", "Old", "wait"),
              machine -> machine.loadAgent(AgentJar.PATH.toString(), "onerror=fail"));
      assertEquals(7, run.exitCode(), run.err());
      assertEquals("done", run.out());
      assertEquals("err", otherLines(run));
      assertEquals(1, agentLines(run).size(), run.err());
      assertTrue(agentLines(run).getFirst().endsWith("21 or later; not attached"), run.err());
    }
  }

  @ParameterizedTest
  @EitherJdk
  void attachedItRecordsFromThenOn(Jdk jdk) throws Exception {
    for (String way : List.of("warm", "cold")) {
      Forked run =
          attached(
              jdk.java(),
              List.of(
                  Forked.QUICK,
                  Forked.PATIENT,
                  "-cp",
                  AgentJar.PROGRAMS.toString(),
                  Waits.class.getName(),
                  way),
              machine -> {
                // One that fails is in nobody's way.
                machine.loadAgent(AgentJar.PATH.toString(), "colour=red");
                machine.loadAgent(
                    AgentJar.PATH.toString(), "output=" + way + ".jfr,threshold=100ms");
              });
      assertEquals(7, run.exitCode(), run.err());
      assertEquals("true\ndone", run.out());
      assertEquals("", otherLines(run));
      assertEquals(
          "[vtdiag] attached; recording to " + folder.resolve(way + ".jfr").toRealPath(),
          agentLines(run).get(1));
      assertTrue(run.err().contains("1 pin blocked carriers"), run.err());
      assertEquals(1, pins(way + ".jfr").size());
    }
  }

  @ParameterizedTest
  @EitherJdk
  void whatAttachingCannotDoIsOneLineAndTheProgramGoesOn(Jdk jdk) throws Exception {
    Map<String, String> complaints =
        Map.of(
            "rewrite=auto",
            "rewrite works only from the program's start, with -javaagent; not attached",
            "colour=red,onerror=fail",
            "; not attached",
            "count=a.B#c,count-output=no/such/folder,onerror=fail",
            "; not attached");
    for (Map.Entry<String, String> each : complaints.entrySet()) {
      Forked run = attached(jdk, List.of(), each.getKey());
      assertEquals(7, run.exitCode(), run.err());
      assertEquals("true\ndone", run.out());
      assertEquals("", otherLines(run));
      assertEquals(1, agentLines(run).size(), run.err());
      assertTrue(agentLines(run).getFirst().endsWith(each.getValue()), run.err());
      assertFalse(hasRecording());
    }
  }

  @ParameterizedTest
  @EitherJdk
  void helpEndsNoProgramThatRuns(Jdk jdk) throws Exception {
    Forked run = attached(jdk, List.of(), "help");
    assertEquals(7, run.exitCode(), run.err());
    assertEquals("true\ndone", run.out());
    assertTrue(run.err().contains("vtdiag agent: "), run.err());
  }

  @ParameterizedTest
  @EitherJdk
  void aSecondOneIsIgnored(Jdk jdk) throws Exception {
    String ignored = "[vtdiag] vtdiag is already in this JVM; ignoring the second one";
    Forked started = attached(jdk, List.of(AgentJar.option("output=a.jfr")), "output=b.jfr");
    assertEquals(ignored, agentLines(started).getFirst());
    Forked both =
        Forked.java(
            jdk,
            folder,
            Forked.QUICK,
            AgentJar.option("output=c.jfr,onerror=fail"),
            AgentJar.option("output=d.jfr,onerror=fail"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Ends.class.getName(),
            "exit");
    assertEquals(7, both.exitCode(), both.err());
    assertEquals(ignored, agentLines(both).getFirst());
    try (var files = Files.list(folder)) {
      assertEquals(
          List.of("a.jfr", "c.jfr"),
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".jfr"))
              .sorted()
              .toList());
    }
  }

  /** Threads have their buffers for the depth that JFR started with. */
  @ParameterizedTest
  @EitherJdk
  void stacksStayAsDeepAsTheyAreWhereJfrRuns(Jdk jdk) throws Exception {
    String started = "-XX:StartFlightRecording:filename=theirs.jfr";
    Forked run = attached(jdk, List.of(started, "-Xlog:disable"), "output=a.jfr,threshold=100ms");
    assertEquals(7, run.exitCode(), run.err());
    assertTrue(
        agentLines(run)
            .getFirst()
            .startsWith(
                "[vtdiag] JFR was started before vtdiag and records only 64 frames of each stack:"
                    + " "),
        run.err());
    assertEquals(1, pins("a.jfr").size());
    assertEquals(1, pins("theirs.jfr").size());
    assertEquals(
        64,
        RecordingFile.readAllEvents(folder.resolve("a.jfr")).stream()
            .filter(event -> event.getEventType().getName().equals(Events.AGENT))
            .findFirst()
            .orElseThrow()
            .getInt("stackDepth"));
  }

  @ParameterizedTest
  @EitherJdk
  void methodsOfLoadedClassesAreCountedWhenAttached(Jdk jdk) throws Exception {
    Forked run =
        attached(
            jdk,
            List.of(),
            "output=a.jfr,warn=off,count-output=counts.txt,count="
                + Waits.class.getName()
                + "#went");
    assertEquals(7, run.exitCode(), run.err());
    assertTrue(Files.readString(folder.resolve("counts.txt")).endsWith(" 1\n"));
  }
}
