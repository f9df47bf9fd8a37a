package io.github.vtdiag.cli;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.cli.programs.Holds;
import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.OlderJavas;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From a live recording, mostly one of plain JFR without the agent, to a report and a verdict. */
@Order(1)
final class RecordingIT {
  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();
  private static final String SITE = Holds.class.getName() + ".sleep";

  @TempDir private Path folder;

  private void record(Jdk jdk) throws Exception {
    Forked recorded =
        Forked.java(
            jdk,
            folder,
            Forked.QUICK,
            "-Xlog:disable",
            "-XX:StartFlightRecording=filename=app.jfr",
            "-cp",
            CLASSES,
            Holds.class.getName());
    assertEquals(0, recorded.exitCode(), recorded.err());
  }

  @Test
  void onJava21TheSynchronizedMethodIsFound() throws Exception {
    record(Jdk.JAVA_21);
    Forked text = CliJar.run(folder, "analyze", "app.jfr", "--classpath", CLASSES);
    assertEquals("", text.err());
    assertEquals(0, text.exitCode());
    assertTrue(text.out().contains(SITE), text.out());
    assertTrue(text.out().contains("synchronized method, lock: this; waits in: sleep"), text.out());

    Forked json = CliJar.run(folder, "analyze", "--json", "app.jfr", "--classpath", CLASSES);
    JsonNode finding = new ObjectMapper().readTree(json.out()).path("findings").path(0);
    assertEquals(SITE, finding.path("title").asText());
    assertEquals("SYNCHRONIZED_METHOD", finding.path("site").path("kind").asText());
    assertEquals("APPLICATION", finding.path("owner").path("kind").asText());
    int pins = pinnedEvents();
    assertTrue(pins > 0);
    assertEquals(pins, finding.path("cost").path("count").asInt());
    assertEquals(pins, finding.path("cost").path("threads").asInt());
    assertEquals(pins, finding.path("confidence").path("CLASS_PATH_BYTECODE").asInt());
  }

  @Test
  void onJava21AdviceNamesTheLockAndOnJava25ThereIsNone() throws Exception {
    record(Jdk.JAVA_21);
    Forked text = CliJar.run(folder, "advise", "app.jfr", "--classpath", CLASSES);
    assertEquals("", text.err());
    assertEquals(0, text.exitCode());
    assertTrue(text.out().contains("for: " + SITE), text.out());
    assertTrue(
        text.out().contains("  To free all of it: run on Java 25.0.4 or later (JEP 491). Java 25"),
        text.out());
    Forked json = CliJar.run(folder, "advise", "--json", "app.jfr", "--classpath", CLASSES);
    JsonNode advice = new ObjectMapper().readTree(json.out()).at("/findings/0/advice");
    assertTrue(advice.at("/recommendation/text").isTextual(), json.out());

    record(Jdk.JAVA_25);
    Forked none = CliJar.run(folder, "advise", "app.jfr", "--classpath", CLASSES);
    assertTrue(none.out().contains("No pins"), none.out());
  }

  @Test
  void theAdvisedComparisonRunsOnTheRecordedJava() throws Exception {
    record(Jdk.JAVA_21);
    Forked usual = advised(Jdk.JAVA_21);
    assertEquals("", usual.err());
    assertTrue(usual.out().contains(" vtdiag compare --what-if auto "), usual.out());
    Forked other = advised(Jdk.JAVA_25);
    assertEquals("", other.err());
    Path home = Jdk.JAVA_21.home().toRealPath();
    assertTrue(
        other.out().contains(" vtdiag compare --jdk " + home + " --what-if auto "), other.out());
  }

  /** Returns the advice for the holding class alone, as a user gets it who has this JAVA_HOME. */
  private Forked advised(Jdk usual) throws Exception {
    String file = Holds.class.getName().replace('.', '/') + ".class";
    Path alone = folder.resolve("alone").resolve(file);
    Files.createDirectories(alone.getParent());
    Files.copy(Path.of(CLASSES, file), alone, StandardCopyOption.REPLACE_EXISTING);
    return Forked.run(
        folder,
        Map.of(
            "XDG_CACHE_HOME",
            folder.resolve("cache").toString(),
            "JAVA_HOME",
            usual.home().toString(),
            "PATH",
            Jdk.JAVA_21.home().resolve("bin").toString()),
        CommandLine.command(Jdk.JAVA_25, List.of("advise", "app.jfr", "--classpath", "alone")));
  }

  @Test
  void whatCannotBeReadBesideTheRecordingIsNamed() throws Exception {
    record(Jdk.JAVA_21);
    Files.writeString(folder.resolve("own.tsv"), "# vtdiag known fixes 1\na:b 1 2\n");
    Forked line = CliJar.run(folder, "advise", "app.jfr", "--known-fixes", "own.tsv");
    assertEquals(3, line.exitCode());
    assertTrue(line.err().startsWith("vtdiag: own.tsv line 2 has 1 column, not 5"), line.err());
    Forked file = CliJar.run(folder, "advise", "app.jfr", "--known-fixes", "none.tsv");
    assertEquals(3, file.exitCode());
    assertEquals("vtdiag: none.tsv cannot be read; check --known-fixes\n", file.err());
    Forked sources = CliJar.run(folder, "advise", "app.jfr", "--sources", "nowhere");
    assertEquals(3, sources.exitCode());
    assertEquals("vtdiag: nowhere is not a folder of sources; check --sources\n", sources.err());
  }

  @Test
  void onJava21TheGateTellsTheThreeVerdictsApart() throws Exception {
    record(Jdk.JAVA_21);
    Forked fail = CliJar.run(folder, "gate", "app.jfr", "--max-pin", "30ms");
    assertEquals(1, fail.exitCode(), fail.err());
    assertTrue(fail.out().startsWith("FAIL  1 of 1 limit exceeded\n  longest pin "), fail.out());
    assertTrue(fail.out().contains(SITE), fail.out());

    Forked unwatched = CliJar.run(folder, "gate", "app.jfr", "--max-pin", "1h");
    assertEquals(4, unwatched.exitCode(), unwatched.out());
    assertTrue(
        unwatched
            .out()
            .contains(
                "app.jfr does not show unended pins and blocking in native code: JFR has no event"
                    + " for them, and no agent sampled the carriers; record with vtdiag's"
                    + " agent, or pass --allow-unwatched"),
        unwatched.out());

    Forked pass = CliJar.run(folder, "gate", "app.jfr", "--max-pin", "1h", "--allow-unwatched");
    assertEquals(0, pass.exitCode(), pass.out());
    assertTrue(pass.out().startsWith("PASS  0 of 1 limit exceeded\n"), pass.out());

    Forked incomplete = gateOnCut("--max-pin", "1h", "--allow-unwatched");
    assertEquals(4, incomplete.exitCode(), incomplete.out());
    assertTrue(incomplete.out().startsWith("NO_DATA  "), incomplete.out());
    assertEquals(
        0, gateOnCut("--max-pin", "1h", "--allow-incomplete", "--allow-unwatched").exitCode());
  }

  @Test
  void aPartOfTheTime() throws Exception {
    record(Jdk.JAVA_21);
    Forked none =
        CliJar.run(
            folder, "gate", "app.jfr", "--max-pin", "1h", "--to", "2001-01-01T00:00:00+01:00");
    assertEquals(4, none.exitCode(), none.out());
    assertTrue(none.out().contains("no recording was running then"), none.out());
    for (String command : List.of("analyze", "advise", "report", "baseline")) {
      Forked outside = CliJar.run(folder, command, "app.jfr", "--from", "+1h");
      assertEquals(3, outside.exitCode(), outside.out() + outside.err());
      assertEquals("", outside.out());
      assertTrue(
          outside
              .err()
              .matches(
                  "(?s).*nothing was recorded between --from and --to: app.jfr goes from"
                      + " \\d{4}-\\d\\d-\\d\\dT\\S+ to \\S+ \\(.* m?s\\); choose a time"
                      + " within\\s*"),
          outside.err());
    }
    Forked all = CliJar.run(folder, "gate", "app.jfr", "--max-pin", "30ms", "--from", "-1h");
    assertEquals(1, all.exitCode(), all.out());
    // A recording that has nothing of the time does not hide one that has.
    Forked folderOf = CliJar.run(folder, "gate", ".", "--max-pin", "30ms", "--from", "-1h");
    assertEquals(1, folderOf.exitCode(), folderOf.out() + folderOf.err());
  }

  @Test
  void onJava25NothingIsPinnedAndNothingIsSaidOf21() throws Exception {
    record(Jdk.JAVA_25);
    assertEquals(4, CliJar.run(folder, "gate", "app.jfr", "--max-pin", "30ms").exitCode());
    Forked pass = CliJar.run(folder, "gate", "app.jfr", "--max-pin", "30ms", "--allow-unwatched");
    assertEquals(0, pass.exitCode(), pass.out());
    assertTrue(pass.out().contains("pins by monitors: they do not pin on Java 25"), pass.out());
    Forked text = CliJar.run(folder, "analyze", "app.jfr");
    assertTrue(text.out().contains("No pins"), text.out());
  }

  @ParameterizedTest
  @EnumSource
  void runRecordsWithTheAgentInside(Jdk jdk) throws Exception {
    Forked ran =
        CliJar.run(
            folder,
            "run",
            "--java",
            jdk.home().toString(),
            "--agent",
            "output=run.jfr",
            "--",
            "-cp",
            CLASSES,
            Holds.class.getName());
    assertEquals(0, ran.exitCode(), ran.err());
    JsonNode report =
        new ObjectMapper().readTree(CliJar.run(folder, "analyze", "--json", "run.jfr").out());
    assertTrue(report.path("recordings").path(0).path("agentVersion").isTextual());
    boolean found = report.path("findings").findValuesAsText("title").contains(SITE);
    assertEquals(jdk == Jdk.JAVA_21, found, report.toString());
  }

  @Test
  void runExitsAsTheApplicationDoes() throws Exception {
    String home = Jdk.JAVA_21.home().toString();
    assertEquals(1, CliJar.run(folder, "run", "--java", home, "--", "NoSuchClass").exitCode());
    Forked noJava = CliJar.run(folder, "run", "--java", "none", "--", "NoSuchClass");
    assertEquals(3, noJava.exitCode());
    assertTrue(noJava.err().startsWith("vtdiag: cannot run "), noJava.err());
    assertTrue(noJava.err().endsWith("; name a Java home with --jdk\n"), noJava.err());
  }

  @Test
  void runOnAnOlderJavaSaysSoInOneLineAndRuns() throws Exception {
    for (Path home : OlderJavas.homes()) {
      Forked bare =
          Forked.run(folder, Map.of(), List.of(OlderJavas.launcher(home).toString(), "-version"));
      Forked ran = CliJar.run(folder, "run", "--java", home.toString(), "--", "-version");
      assertEquals(0, ran.exitCode(), ran.err());
      assertEquals(
          bare.err(), ran.err().lines().skip(1).map(line -> line + "\n").collect(joining()));
      assertTrue(ran.err().startsWith("[vtdiag] this is Java "), ran.err());
    }
  }

  @Test
  void standardInputAndAnOutputFile() throws Exception {
    record(Jdk.JAVA_21);
    Forked piped =
        Forked.run(
            folder,
            Map.of(),
            List.of(
                "sh",
                "-c",
                "'"
                    + Jdk.JAVA_25.java()
                    + "' -jar '"
                    + CliJar.PATH
                    + "' analyze - -cp '"
                    + CLASSES
                    + "' -o report.txt < app.jfr"));
    assertEquals("", piped.out() + piped.err());
    String report = Files.readString(folder.resolve("report.txt"));
    assertTrue(report.startsWith("standard input  "), report);
    assertTrue(report.contains(SITE), report);
  }

  /** As the JDK's own reader counts them. */
  private int pinnedEvents() throws Exception {
    return (int)
        RecordingFile.readAllEvents(folder.resolve("app.jfr")).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
            .count();
  }

  /** Runs the gate on the recording with a second chunk of which half is missing. */
  private Forked gateOnCut(String... limits) throws Exception {
    byte[] whole = Files.readAllBytes(folder.resolve("app.jfr"));
    byte[] cut = Arrays.copyOf(whole, whole.length + whole.length / 2);
    System.arraycopy(whole, 0, cut, whole.length, whole.length / 2);
    Files.write(folder.resolve("cut.jfr"), cut);
    String[] arguments = new String[limits.length + 2];
    arguments[0] = "gate";
    arguments[1] = "cut.jfr";
    System.arraycopy(limits, 0, arguments, 2, limits.length);
    return CliJar.run(folder, arguments);
  }
}
