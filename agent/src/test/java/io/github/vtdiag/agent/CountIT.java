package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.Counted;
import io.github.vtdiag.agent.programs.LoadingAgent;
import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The built agent counts calls of programs that must not notice it. */
class CountIT {
  private static final String WORK = "io.github.vtdiag.agent.programs.Counted$Work#";
  private static final String ELSEWHERE = "io.github.vtdiag.agent.programs.Counted$Elsewhere#";
  private static final String HERE = "io.github.vtdiag.agent.programs.Counted$Here#";
  private static final String PINNED = "io.github.vtdiag.agent.programs.Counted$Pinning";
  private static final String QUIET = "output=a.jfr,warn=off,summary=off";

  /** Two constructors, two overloads, one of two that returns, no bridge, three levels deep. */
  private static final String ALL =
      String.join(
          ":",
          WORK + "<init>",
          WORK + "overloaded",
          WORK + "throwing",
          WORK + "compareTo",
          WORK + "recursive");

  private static final List<Long> ONE_ROUND = List.of(2L, 2L, 1L, 1L, 3L);

  @TempDir Path folder;

  private String options(String methods) {
    return QUIET + ",count=" + methods + ",count-output=" + counts();
  }

  private Path counts() {
    return folder.resolve("counts.txt");
  }

  private Forked run(Jdk jdk, List<String> options, String way)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(options);
    if (!way.equals("threads")) {
      all.add(Forked.QUICK);
    }
    all.addAll(
        List.of("-Xverify:all", "-cp", AgentJar.PROGRAMS.toString(), Counted.class.getName(), way));
    return Forked.java(jdk, folder, all.toArray(String[]::new));
  }

  private Forked run(Jdk jdk, String agent, String way) throws IOException, InterruptedException {
    return run(jdk, List.of(AgentJar.option(agent)), way);
  }

  private List<long[]> lines() throws IOException {
    String text = Files.readString(counts());
    assertTrue(text.endsWith("\n"), text);
    List<long[]> lines =
        text.lines()
            .map(line -> Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray())
            .toList();
    for (int i = 1; i < lines.size(); i++) {
      for (int column = 0; column < lines.get(i).length; column++) {
        assertTrue(lines.get(i)[column] >= lines.get(i - 1)[column], text);
      }
    }
    return lines;
  }

  private List<Long> last() throws IOException {
    return Arrays.stream(lines().getLast()).skip(1).boxed().toList();
  }

  @ParameterizedTest
  @EitherJdk
  void countsThatCannotBeWrittenAreOneLineAndNothingIsCounted(Jdk jdk) throws Exception {
    String options = QUIET + ",count=" + ALL + ",count-output=no/such/folder/c";
    Forked run = run(jdk, options, "once");
    assertEquals("done\n", run.out());
    assertTrue(
        run.err().startsWith("[vtdiag] cannot write the counts to no/such/folder/c (No such file"),
        run.err());
    assertTrue(run.err().endsWith("; running without the agent\n"), run.err());
    Forked failed = run(jdk, options + ",onerror=fail", "once");
    assertEquals(2, failed.exitCode());
    assertEquals("", failed.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "once      | Work#nothing | there is no method"
            + " io.github.vtdiag.agent.programs.Counted$Work#nothing;",
        "elsewhere | Elsewhere#inherited | Elsewhere#inherited is abstract; count it in a class",
        "elsewhere | Elsewhere#outside | Elsewhere#outside or one of its overloads is native;",
        "elsewhere | Here#mixed:Here#inherited:Here#outside | there is no method"
            + " io.github.vtdiag.agent",
        "hidden    | Work#<init> | its class loader"
            + " io.github.vtdiag.agent.programs.Counted$Isolated does not delegate"
            + " io.github.vtdiag.boot.CallCounts to the bootstrap loader;",
      })
  void whatCannotBeCountedIsToldWhenItsClassLoads(String way, String methods, String reason)
      throws Exception {
    String counted =
        String.join(
            ":",
            Arrays.stream(methods.split(":", -1))
                .map(method -> "io.github.vtdiag.agent.programs.Counted$" + method)
                .toList());
    for (Jdk jdk : EitherJdk.Choice.of(methods).toList()) {
      Forked run = run(jdk, options(counted), way);
      assertEquals(0, run.exitCode(), run.err());
      assertTrue(run.out().endsWith("done\n"), run.out());
      assertEquals(1, run.err().lines().count(), run.err());
      assertTrue(run.err().contains(reason), run.err());
      assertTrue(run.err().endsWith("; continuing without it\n"), run.err());
      assertEquals(0, last().getLast());

      Forked failed = run(jdk, options(counted) + ",onerror=fail", way);
      assertEquals(2, failed.exitCode(), failed.err());
      assertEquals("", failed.out());
      assertTrue(failed.err().contains(reason), failed.err());
      assertTrue(failed.err().endsWith("; stopping the program (onerror=fail)\n"), failed.err());
    }
  }

  @ParameterizedTest
  @EitherJdk
  void aClassOfTheJdksBaseIsRefused(Jdk jdk) throws Exception {
    Forked run = run(jdk, options("java.lang.Thread#threadId:" + WORK + "compareTo"), "once");
    assertEquals("done\n", run.out());
    assertTrue(run.err().startsWith("[vtdiag] java.lang.Thread is in java.base, "), run.err());
    assertEquals(List.of(0L, 1L), last());
  }

  @ParameterizedTest
  @EitherJdk
  void everyCallThatReturnsCounts(Jdk jdk) throws Exception {
    Forked once = run(jdk, options(ALL + ":no.such.Type#method"), "once");
    assertEquals("done\n", once.out());
    assertEquals("", once.err());
    List<Long> expected = new ArrayList<>(ONE_ROUND);
    expected.add(0L);
    assertEquals(expected, last());

    Forked mixed = run(jdk, options(HERE + "inherited:" + ELSEWHERE + "mixed"), "elsewhere");
    assertEquals("2\ndone\n", mixed.out());
    assertEquals("", mixed.err());
    assertEquals(List.of(1L, 1L), last());
  }

  @ParameterizedTest
  @EitherJdk
  void noCallOfAnyThreadIsLost(Jdk jdk) throws Exception {
    Forked run = run(jdk, options(ALL), "threads");
    assertEquals("done\n", run.out(), run.err());
    assertEquals(ONE_ROUND.stream().map(count -> 200_000 * count).toList(), last());
  }

  @ParameterizedTest
  @EitherJdk
  void callsOfRewrittenMethodsCountToo(Jdk jdk) throws Exception {
    for (String options :
        List.of("rewrite=auto," + options(ALL), options(ALL) + ",rewrite=auto,samples=0")) {
      Forked run = run(jdk, options, "threads");
      assertEquals("done\n", run.out(), run.err());
      assertTrue(run.err().contains("[vtdiag] what-if: "), run.err());
      assertEquals(1, run.err().lines().count(), run.err());
      assertEquals(ONE_ROUND.stream().map(count -> 200_000 * count).toList(), last());
    }
  }

  @ParameterizedTest
  @EitherJdk
  void aClassCountsInEveryLoader(Jdk jdk) throws Exception {
    Forked run = run(jdk, options(WORK + "<init>"), "loaders");
    assertEquals("done\n", run.out(), run.err());
    assertEquals(List.of(3L), last());
  }

  @ParameterizedTest
  @EitherJdk
  void aClassThatWasLoadedBeforeTheAgentCounts(Jdk jdk) throws Exception {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", LoadingAgent.class.getName());
    Path other = folder.resolve("other.jar");
    new JarOutputStream(Files.newOutputStream(other), manifest).close();
    List<String> agents =
        List.of(
            "-javaagent:" + other + "=io.github.vtdiag.agent.programs.Counted$Work",
            AgentJar.option(options(ALL)));
    for (List<String> order : List.of(agents, agents.reversed())) {
      Forked run = run(jdk, order, "once");
      assertEquals("done\n", run.out(), run.err());
      assertEquals("", run.err());
      assertEquals(ONE_ROUND, last());
    }
  }

  /** Behind the first return every bci is another one than in the class file. */
  @ParameterizedTest
  @EnumSource
  void pinsInACountedMethodAreStillAttributed(Jdk jdk) throws Exception {
    String options =
        "output=a.jfr,warn=off,threshold=100ms,count=" + PINNED + "#run,count-output=" + counts();
    Forked run = run(jdk, options, "pin");
    assertEquals("early\nlate\ninitialized\ndone\n", run.out());
    assertEquals(List.of(3L), last());
    assertTrue(run.err().contains("Counted$Initialized.<clinit>, class initializer"), run.err());
    boolean block = run.err().contains("Counted$Pinning.run, synchronized block");
    switch (jdk) {
      case JAVA_21 -> assertTrue(block, run.err());
      case JAVA_25 -> assertFalse(block, run.err());
    }
    if (block) {
      byte[] classFile =
          Files.readAllBytes(
              AgentJar.PROGRAMS.resolve("io/github/vtdiag/agent/programs/Counted$Pinning.class"));
      ClassRef type = new ClassRef(PINNED, "app");
      List<MethodMonitors> compiled =
          LockMaps.read(classFile, type, "", ClassMonitors.Evidence.CLASS_PATH).methods();
      // One call, of four bytes, stands before the block.
      assertEquals(enterBci(compiled) + 4, enterBci(lockMap()));
    }
  }

  private List<MethodMonitors> lockMap() throws IOException {
    return RecordingFile.readAllEvents(folder.resolve("a.jfr")).stream()
        .filter(event -> event.getEventType().getName().equals(Events.LOCK_MAP))
        .filter(event -> event.getString("className").equals(PINNED))
        .map(event -> LockMaps.parse(event.getString("map")))
        .findFirst()
        .orElseThrow();
  }

  private static int enterBci(List<MethodMonitors> map) {
    return map.stream()
        .filter(method -> method.name().equals("run"))
        .findFirst()
        .orElseThrow()
        .regions()
        .getFirst()
        .enterBci();
  }

  @Test
  void withoutTheOptionNoFileIsWritten() throws Exception {
    Forked run = run(Jdk.JAVA_25, QUIET, "once");
    assertEquals("done\n", run.out());
    assertFalse(Files.exists(counts()));
  }

  /**
   * What was there before is gone; what is there is right while it runs, and after it is killed.
   */
  @ParameterizedTest
  @EitherJdk
  void theCountsAreThereWhileTheProgramRunsAndAfterItIsKilled(Jdk jdk) throws Exception {
    Files.writeString(counts(), "from another run\n".repeat(100));
    Process program =
        new ProcessBuilder(
                jdk.java().toString(),
                Forked.QUICK,
                Forked.PATIENT,
                AgentJar.option(options(ALL)),
                "-cp",
                AgentJar.PROGRAMS.toString(),
                Counted.class.getName(),
                "wait")
            .directory(folder.toFile())
            .redirectError(folder.resolve("err.txt").toFile())
            .start();
    try (BufferedReader out = program.inputReader();
        OutputStream in = program.getOutputStream()) {
      assertEquals("waiting", out.readLine());
      awaitLine(program, ONE_ROUND);
      in.write('\n');
      in.flush();
      assertEquals("again", out.readLine());
      List<Long> two = ONE_ROUND.stream().map(count -> 2 * count).toList();
      awaitLine(program, two);
      program.destroyForcibly().waitFor();
      assertEquals(two, last());
      assertTrue(lines().size() > 2);
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  private void awaitLine(Process program, List<Long> expected)
      throws IOException, InterruptedException {
    while (!last().equals(expected)) {
      assertTrue(program.isAlive(), "the program ended");
      Thread.sleep(10);
    }
  }
}
