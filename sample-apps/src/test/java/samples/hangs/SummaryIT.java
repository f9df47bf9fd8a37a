package samples.hangs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import io.github.vtdiag.testing.WarmCommandLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is told of a program afterwards: the summary that the agent prints at exit and the command
 * line count the same of a recording and account for the carriers' time alike, and what a killed
 * JVM leaves tells how it ended.
 */
class SummaryIT {
  private static final long LOOK_NANOS = 20_000_000;
  private static final Pattern SUMMARY =
      Pattern.compile(
          "\\[vtdiag] (?<count>[0-9,]+) pins? blocked carriers for (?<total>[0-9.,]+ \\w+), the"
              + " longest for (?<longest>[0-9.,]+ \\w+)");

  /** A share as the summary has it: {@code at least 0.4% in file I/O}. */
  private static final Pattern SHARE =
      Pattern.compile("(?:^|, )(?:at least )?(?<percent>[0-9.]+)% (?<use>[a-zA-Z/ ]+)(?=,|;|$)");

  /** A point; of what is longer than 9.5% the summary says whole percents. */
  private static final double FAR = 1.5;

  /** Of the processors: by then each second looks like the one before. */
  private static final Duration ENOUGH = Duration.ofSeconds(5);

  private static final int NO_DATA = 4;
  private static final int AGAIN = 5;

  @TempDir Path folder;

  private static Hang hang(String program, String... options) {
    return new Hang(program, List.of(options), Set.of());
  }

  /** Pins that ended, waits in native code, and neither. */
  static Stream<Arguments> ended() {
    return Stream.of(Jdk.values())
        .flatMap(
            jdk ->
                Stream.of(
                        hang("PinnedCarriers", "-Dhold=700"),
                        hang("PinnedCarriers", "-Dpin=initializer", "-Dhold=50"),
                        hang("NativeWait", "-Dtimes=5", "-Dbusy=300"),
                        hang("TwoLocks", "-Dhold=20"))
                    .map(hang -> Arguments.of(hang.healthy(), jdk)));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("ended")
  void ofAProgramThatEnds(Hang hang, Jdk jdk) throws Exception {
    Forked passed = ended(hang, jdk);
    // Where the machine is busy, the watch may have had no processor for a while, which is no
    // proof.
    for (int again = 0; again < AGAIN && passed.exitCode() == NO_DATA; again++) {
      passed = ended(hang, jdk);
    }
    assertEquals(0, passed.exitCode(), passed.out());
  }

  /** What the gate says of a program that ended; whatever it says, the summary agrees with it. */
  private Forked ended(Hang hang, Jdk jdk) throws Exception {
    Path recording = folder.resolve("a.jfr");
    Files.deleteIfExists(recording);
    try (Started twin = Started.of(folder, hang.command(jdk, agent(recording)))) {
      assertEquals(0, twin.exitCode(), twin.errors());
      assertAgree(twin.errors(), recording);
    }
    return gate(recording, "--max-pin", "100h");
  }

  /** Pins that never end, in Java and in native code. */
  static Stream<Arguments> unended() {
    return Stream.of(
        Arguments.of(hang("PinnedCarriers"), Jdk.JAVA_21),
        Arguments.of(hang("PinnedCarriers", "-Dpin=initializer"), Jdk.JAVA_21),
        Arguments.of(hang("PinnedCarriers", "-Dpin=initializer"), Jdk.JAVA_25),
        Arguments.of(hang("NativeWait"), Jdk.JAVA_21),
        Arguments.of(hang("NativeWait"), Jdk.JAVA_25));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("unended")
  void ofAProgramThatIsTerminatedWhileItStandsStill(Hang hang, Jdk jdk) throws Exception {
    Path recording = folder.resolve("a.jfr");
    try (Started started = Started.of(folder, hang.command(jdk, agent(recording)))) {
      assertTrue(started.standsStill(), started::line);
      while (!started.errors().contains("carrier blocked for ")) {
        assertTrue(started.process().isAlive(), started.errors());
        LockSupport.parkNanos(LOOK_NANOS);
      }
      started.terminate();
      assertAgree(started.errors(), recording);
      assertTrue(analyzed(recording).contains(" not ended"), analyzed(recording));
    }
    assertEquals(1, gate(recording, "--max-pin", "400ms").exitCode());
    // In the other story nobody waits for the carriers that are kept.
    Forked whatever = gate(recording, "--max-pin", "100h");
    assertTrue(hang.program().equals("NativeWait") || whatever.exitCode() != 0, whatever.out());
  }

  @ParameterizedTest
  @EitherJdk
  void aKilledJvmLeavesWhatItHungIn(Jdk jdk) throws Exception {
    Path repository = folder.resolve("repository");
    Hang hang = hang("PinnedCarriers", "-Dpin=initializer");
    try (Started started =
        Started.of(
            folder,
            hang.command(
                jdk,
                agent(folder.resolve("a.jfr")),
                "-XX:FlightRecorderOptions:repository=" + repository))) {
      assertTrue(started.standsStill(), started::line);
      // What was not flushed to disk is lost; a repository can be read meanwhile.
      while (!tellsOfTheEnd(analyzed(repository))) {
        assertTrue(started.process().isAlive(), started.errors());
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
    String killed = analyzed(repository);
    assertTrue(tellsOfTheEnd(killed), killed);
    assertTrue(killed.contains("had not ended when the recording did"), killed);
    assertTrue(killed.contains("its JVM was killed or is still running"), killed);
    assertNotEquals(0, gate(repository, "--max-pin", "100h", "--allow-incomplete").exitCode());
  }

  /** Java and native code, files, pins and nothing to do, all of it until the end. */
  @ParameterizedTest
  @EitherJdk
  void ofAProgramThatIsTerminatedAtWork(Jdk jdk) throws Exception {
    Path recording = folder.resolve("a.jfr");
    Process process =
        new ProcessBuilder(
                jdk.java().toString(),
                Forked.PATIENT,
                agent(recording),
                "-Dseconds=86400",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                Hang.classPath(),
                "samples.knownshares.KnownShares")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out.txt").toFile())
            .start();
    try {
      while (process.info().totalCpuDuration().orElseThrow().compareTo(ENOUGH) < 0) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
      process.destroy();
      process.waitFor();
      Map<String, Double> said =
          assertSameShares(Files.readString(folder.resolve("out.txt")), recording);
      // On a busy machine no carrier is ever idle.
      assertTrue(said.keySet().containsAll(Set.of("running Java code", "pinned")), said::toString);
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * The summary tells all that the report does of where the carriers' time went, and the same.
   *
   * @return what it tells, in percent
   */
  private Map<String, Double> assertSameShares(String errors, Path recording) throws Exception {
    Map<String, Double> said = new TreeMap<>();
    Matcher line = Pattern.compile("\\[vtdiag] carriers: (.*)").matcher(errors);
    if (line.find()) {
      Matcher share = SHARE.matcher(line.group(1));
      while (share.find()) {
        said.put(share.group("use"), Double.parseDouble(share.group("percent")));
      }
      // Each says what all carriers were at.
      assertEquals(100, said.values().stream().mapToDouble(each -> each).sum(), 3, errors);
    }
    JsonNode account =
        new ObjectMapper()
            .readTree(vtdiag("analyze", recording.toString(), "--json").out())
            .path("account");
    if (account.path("missing").valueStream().anyMatch(each -> each.asText().equals("WATCH"))) {
      assertEquals(Map.of(), said, "a watch that had no processor until the end");
      return said;
    }
    for (JsonNode share : account.path("shares")) {
      Use use = Use.valueOf(share.path("use").asText());
      double told = 100 * share.path("nanos").asDouble() / account.path("capacityNanos").asDouble();
      if (!said.isEmpty() || (use != Use.IDLE && use != Use.UNKNOWN)) {
        assertEquals(told, said.getOrDefault(use.text(), 0.0), FAR, use + " " + errors + account);
      }
    }
    return said;
  }

  private static boolean tellsOfTheEnd(String report) {
    return report.contains("both carriers had been pinned")
        || report.contains("Hung when it ended");
  }

  private void assertAgree(String errors, Path recording) throws Exception {
    Forked gate =
        gate(
            recording,
            "--max-pin",
            "100h",
            "--max-total",
            "1000h",
            "--max-count",
            "1000000",
            "--allow-hang",
            "--allow-no-data");
    assertEquals(0, gate.exitCode(), gate.out() + gate.err());
    assertSameShares(errors, recording);
    Matcher summary = SUMMARY.matcher(errors);
    if (summary.find()) {
      assertEquals(figure(gate, "pins"), summary.group("count"), errors);
      assertEquals(figure(gate, "pinned time"), summary.group("total"), errors);
      assertEquals(figure(gate, "longest pin"), summary.group("longest"), errors);
    } else {
      assertTrue(errors.contains("[vtdiag] no pins of "), errors);
      assertEquals("0", figure(gate, "pins"), errors);
    }
  }

  private static String figure(Forked gate, String name) {
    Matcher line = Pattern.compile("\n  " + name + " ([^\n]+), limit ").matcher(gate.out());
    assertTrue(line.find(), gate.out());
    return line.group(1);
  }

  private static String agent(Path recording) {
    return "-javaagent:"
        + Jdks.projectFolder().resolve("agent/target/vtdiag.jar")
        + "=output="
        + recording;
  }

  private String analyzed(Path recording) throws Exception {
    return vtdiag("analyze", recording.toString()).out();
  }

  private Forked gate(Path recording, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("gate", recording.toString()));
    all.addAll(List.of(arguments));
    return vtdiag(all.toArray(String[]::new));
  }

  private Forked vtdiag(String... arguments) throws Exception {
    return WarmCommandLine.run(Jdk.JAVA_25, arguments);
  }
}
