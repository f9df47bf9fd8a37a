package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.cli.CostRecordings.Kind;
import io.github.vtdiag.cli.programs.Slowed;
import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.CostCheck;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import io.github.vtdiag.testing.ProcessorTime;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What reading a recording costs, beside what the JDK's own {@code jfr summary} takes for the same
 * file, which decodes nothing. The recordings have few different stacks and very many events, so
 * that whatever is done for each event instead of for each stack shows. Only processor times are
 * compared. One test after the other, because they share their recordings' files.
 */
@Execution(ExecutionMode.SAME_THREAD)
final class ReadingCostIT {
  /** So many times the processor time of {@code jfr summary} is too dear. */
  private static final double LIMIT = 4;

  /** So many that ten times the cost of an event is far beyond what may be. */
  private static final int EVENTS = 150_000;

  /** In bytes. */
  private static final long LARGE = 100_000_000;

  /** What the launcher starts the command line with, but for its archive of classes. */
  private static final List<String> LAUNCHER_OPTIONS =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xms48m",
          "-Xmn24m",
          "-Xlog:disable",
          "-Xshare:auto",
          "-Djdk.reflect.useNativeAccessorOnly=true");

  /** In megabytes, of {@link #LARGE}: 95 to 153 were seen, and 222 to 372 without a limit. */
  private static final int MOST_HEAP = 200;

  private static final Pattern COLLECTED = Pattern.compile(" (\\d+)M->\\d+M\\(");

  @TempDir private static Path folder;
  private static CostRecordings recordings;
  private static Path archive;

  @BeforeAll
  static void prepare() throws Exception {
    recordings = new CostRecordings(folder);
    // As the launcher makes it.
    archive = CommandLine.archive(Jdk.JAVA_25);
  }

  private static ProcessorTime summary(int maxSeconds, Path file)
      throws IOException, InterruptedException {
    ProcessorTime time =
        ProcessorTime.of(
            folder,
            Map.of(),
            maxSeconds,
            List.of(Jdk.JAVA_25.home().resolve("bin/jfr").toString(), "summary", file.toString()));
    assertEquals(0, time.run().exitCode(), time::toString);
    return time;
  }

  private static List<String> launched(String... rest) {
    List<String> command = new ArrayList<>(List.of(Jdk.JAVA_25.java().toString()));
    command.addAll(LAUNCHER_OPTIONS);
    command.add("-XX:SharedArchiveFile=" + archive);
    command.addAll(List.of(rest));
    return command;
  }

  private static CostCheck check(String what, Path file, Set<Integer> exitCodes, String... command)
      throws Exception {
    List<String> whole = new ArrayList<>(launched("-jar", CliJar.PATH.toString()));
    whole.addAll(List.of(command));
    return check(what, file, exitCodes, whole);
  }

  private static CostCheck check(
      String what, Path file, Set<Integer> exitCodes, List<String> command) throws Exception {
    return CostCheck.of(
        what,
        most -> {
          ProcessorTime time = ProcessorTime.of(folder, Map.of(), most, command);
          assertTrue(time.cut() || exitCodes.contains(time.run().exitCode()), time::toString);
          assertTrue(time.cut() || !time.run().out().isBlank(), time::toString);
          return time;
        },
        "jfr summary",
        most -> summary(most, file),
        LIMIT);
  }

  private static void assertNotTooDear(CostCheck check) {
    assertFalse(check.tooDear(), check::toString);
  }

  @ParameterizedTest
  @EnumSource
  void analyzeIsCheapWhateverTheRecordingIsFullOf(Kind kind) throws Exception {
    Path file = recordings.write(kind, EVENTS);
    CostCheck check = check("analyze, " + kind, file, Set.of(0), "analyze", file.toString());
    Files.delete(file);
    assertNotTooDear(check);
  }

  /** Of a small recording most of the time is the start, which hides what a byte costs. */
  @ParameterizedTest
  @EnumSource(names = {"TYPICAL_21", "PINS"})
  void aLargeRecordingIsNoDearer(Kind kind) throws Exception {
    Path part = recordings.write(kind, EVENTS);
    Path file = recordings.repeat(part, (int) (LARGE / Files.size(part)) + 1);
    Files.delete(part);
    String what = "analyze, " + Files.size(file) / 1_000_000 + " MB of " + kind;
    Path collections = folder.resolve(kind + "-gc.txt");
    CostCheck check =
        check(
            what,
            file,
            Set.of(0),
            launched(
                "-Xlog:gc:file=" + collections,
                "-jar",
                CliJar.PATH.toString(),
                "analyze",
                file.toString()));
    Files.delete(file);
    assertNotTooDear(check);
    int most = mostHeap(collections);
    System.out.println("[cost] " + what + ": " + most + " MB of heap (limit " + MOST_HEAP + ")");
    assertTrue(most <= MOST_HEAP, () -> what + ": " + most + " MB of heap");
  }

  /** In megabytes, when it was collected. */
  private static int mostHeap(Path collections) throws IOException {
    return COLLECTED
        .matcher(Files.readString(collections))
        .results()
        .mapToInt(collection -> Integer.parseInt(collection.group(1)))
        .max()
        .orElseThrow();
  }

  @Test
  void jsonAndTheGateAreCheap() throws Exception {
    Path file = recordings.write(Kind.TYPICAL_21, EVENTS);
    String name = file.toString();
    CostCheck json = check("analyze --json", file, Set.of(0), "analyze", "--json", name);
    CostCheck gate =
        check("gate", file, Set.of(0, 1, 4), "gate", name, "--no-policy", "--max-pin", "1s");
    Files.delete(file);
    assertNotTooDear(json);
    assertNotTooDear(gate);
  }

  @Test
  void fourTimesTheEventsCostAtMostFourTimesAsMuch() throws Exception {
    Path few = recordings.write(Kind.TYPICAL_21, EVENTS);
    Path many = recordings.write(Kind.TYPICAL_21, 4 * EVENTS);
    List<String> command = launched("-jar", CliJar.PATH.toString(), "analyze");
    CostCheck check =
        CostCheck.of(
            "analyze, four times the events",
            most -> ProcessorTime.of(folder, Map.of(), most, with(command, many)),
            "analyze",
            most -> ProcessorTime.of(folder, Map.of(), most, with(command, few)),
            4);
    Files.delete(few);
    Files.delete(many);
    assertNotTooDear(check);
  }

  private static List<String> with(List<String> command, Path file) {
    List<String> all = new ArrayList<>(command);
    all.add(file.toString());
    return all;
  }

  @Test
  void startingAndReadingLittleIsCheap() throws Exception {
    Path file = recordings.writeSmall();
    assertTrue(Files.size(file) < 1_000_000, () -> file + " is not small");
    CostCheck version = check("--version", file, Set.of(0), "--version");
    CostCheck gate =
        check(
            "gate, small recording",
            file,
            Set.of(0, 1, 4),
            "gate",
            file.toString(),
            "--no-policy",
            "--max-pin",
            "1s");
    assertNotTooDear(version);
    assertNotTooDear(gate);
  }

  /** It is the same check, so it can fail. */
  @Test
  void tenMicrosecondsMorePerEventAreTooDear() throws Exception {
    Path file = recordings.write(Kind.PINS, EVENTS);
    String classPath =
        CliJar.PATH + File.pathSeparator + Path.of("target", "test-classes").toAbsolutePath();
    CostCheck check =
        check(
            "analyze, 10 us slower per event on purpose",
            file,
            Set.of(0),
            launched(
                "-cp",
                classPath,
                Slowed.class.getName(),
                Integer.toString(EVENTS),
                "10",
                "analyze",
                file.toString()));
    Files.delete(file);
    assertTrue(check.tooDear(), check::toString);
  }

  @Test
  void theLauncherStartsItWithTheseOptions() throws Exception {
    String script =
        Files.readString(Jdks.projectFolder().resolve("vtdiag")).replaceAll("\\s*\\\\\\R\\s*", " ");
    for (String option : LAUNCHER_OPTIONS) {
      assertTrue(script.contains(" " + option + " "), option);
    }
    int options = script.substring(script.lastIndexOf("exec ")).split(" -X", -1).length - 1;
    // The archive's option begins within another word.
    assertEquals(LAUNCHER_OPTIONS.stream().filter(o -> o.startsWith("-X")).count(), options);
  }
}
