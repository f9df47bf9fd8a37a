package vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import vtdiag.cli.programs.Answers;
import vtdiag.cli.programs.Calls;
import vtdiag.cli.programs.Counts;
import vtdiag.testing.Forked;
import vtdiag.testing.Jdk;
import vtdiag.testing.Jdks;
import whatif.OwnLocks;

/** Real programs, those that go wrong first; none of them may outlive its comparison. */
final class CompareIT {
  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();

  /** On the command line of every process of this test. */
  private final String mark = "-Dmark=" + UUID.randomUUID();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeftRunning() {
    assertEquals(List.of(), running().toList());
  }

  @AfterEach
  void noRecordingIsLeft() throws IOException {
    Path temporary = folder.resolve("tmp");
    if (Files.exists(temporary)) {
      try (Stream<Path> left = Files.list(temporary)) {
        assertEquals(
            List.of(),
            left.filter(path -> path.getFileName().toString().startsWith("vtdiag-compare"))
                .toList());
      }
    }
  }

  /** The programs compared, not the one that compares. */
  private Stream<String> running() {
    return ProcessHandle.allProcesses()
        .filter(ProcessHandle::isAlive)
        .flatMap(process -> process.info().commandLine().stream())
        .filter(line -> line.contains(mark) && !line.contains("vtdiag-cli.jar"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String url(int port) {
    return "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port + "/";
  }

  private List<String> compare(Jdk jdk, String options) throws IOException {
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    List<String> arguments = new ArrayList<>();
    arguments.add("-Djava.io.tmpdir=" + temporary);
    arguments.addAll(List.of("-jar", CliJar.PATH.toString(), "compare"));
    arguments.addAll(List.of("--jdk", jdk.home().toString(), "--cool-down", "0"));
    arguments.addAll(List.of(options.split(" ")));
    arguments.addAll(List.of("--", mark, "-cp", CLASSES));
    return arguments;
  }

  private Forked run(List<String> arguments) throws Exception {
    return Forked.java(
        Jdk.JAVA_25,
        folder,
        Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()),
        arguments.toArray(String[]::new));
  }

  private Forked http(Jdk jdk, String how, int port, String options) throws Exception {
    List<String> arguments =
        compare(
            jdk,
            "--http "
                + url(port)
                + " --users 4 --pairs 2 --warm-up 200ms --duration 1s"
                + " --java-options-after -Dunlocked=true "
                + options);
    arguments.addAll(List.of(Answers.class.getName(), how, Integer.toString(port)));
    return run(arguments);
  }

  private Forked printed(Jdk jdk, String options, String... program) throws Exception {
    List<String> arguments = compare(jdk, "--pairs 2 " + options);
    arguments.add(Counts.class.getName());
    arguments.addAll(List.of(program));
    return run(arguments);
  }

  private Forked counted(String options, String how) throws Exception {
    List<String> arguments =
        compare(Jdk.JAVA_21, "--pairs 2 --java-options-after -Dtwice=true " + options);
    arguments.addAll(List.of(Calls.class.getName(), how));
    return run(arguments);
  }

  private static void assertRefused(Forked refused, String sentence, String end) {
    assertEquals(3, refused.exitCode(), refused.err());
    assertEquals("", refused.out());
    assertTrue(refused.err().startsWith("vtdiag: "), refused.err());
    assertTrue(refused.err().contains(sentence), refused.err());
    assertTrue(refused.err().contains(end), refused.err());
    // What the application printed is quoted line by line.
    assertFalse(refused.err().contains("\\n"), refused.err());
    assertTrue(
        refused.err().lines().skip(1).allMatch(line -> line.startsWith("  ")), refused.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dies|ended with exit code 7 before it responded at|no database",
        "silent|gave no good response at|thinking",
        "500|within 4 s (last: status 500)|listening",
        "stalls|completed no request in the measured 1 s|listening",
        "dies-later|ended with exit code 8 under load|out of luck",
        "fails-later|(last: status 500), more than --max-errors 1|listening"
      })
  void aServerThatGoesWrongIsASentenceAndTheEndOfItsOutput(String how, String sentence, String end)
      throws Exception {
    Forked refused = http(Jdk.JAVA_21, how, freePort(), "--timeout 4s -o report.txt");
    assertRefused(refused, "run 1 of 4 (without the change) ", end);
    assertTrue(refused.err().contains(sentence), refused.err());
    assertFalse(Files.exists(folder.resolve("report.txt")));
  }

  @Test
  void aServerThatListensAlreadyIsNotMeasured() throws Exception {
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.start();
    try {
      Forked refused = http(Jdk.JAVA_21, "well", other.getAddress().getPort(), "");
      assertRefused(refused, "the port is already in use", "use another port");
    } finally {
      other.stop(0);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no number|--timeout 1m|printed no number of operations|no number",
        "5 operations|--operations done:(\\d+)|printed no number of operations|5 operations",
        "5 operations|--java-options-after -Dfail=true|(with the change) ended with exit code 9|5"
            + " op"
      })
  void aProgramThatGoesWrongIsASentenceAndTheEndOfItsOutput(
      String prints, String options, String sentence, String end) throws Exception {
    String change = options.contains("after") ? "" : " --java-options-after -Dx";
    assertRefused(printed(Jdk.JAVA_21, options + change, prints), sentence, end);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "never|work|1s|completed no call of vtdiag.cli.programs.Calls#work within 3 s|thinking",
        "for-ever|never|1s|completed no call of vtdiag.cli.programs.Calls#never within 3 s|it"
            + " printed nothing",
        "for-ever|nope|1s|before any call of vtdiag.cli.programs.Calls#nope completed|there is no"
            + " method",
        "nothing|work|1s|ended with exit code 0 before a call of|nothing to do",
        "dies|work|1m|ended with exit code 8 while its calls were being counted|out of luck",
        "ends-early|work|1m|too soon after the warm-up of 60 s; give it more work|all done",
        "stops|work|5s|completed no call of vtdiag.cli.programs.Calls#work in the measured|all done"
      })
  void callsThatCannotBeCountedAreASentenceAndTheEndOfTheOutput(
      String how, String method, String warmUp, String sentence, String end) throws Exception {
    Forked refused =
        counted(
            "--timeout 3s --duration 1s --warm-up "
                + warmUp
                + " --count "
                + Calls.class.getName()
                + "#"
                + method,
            how);
    assertRefused(refused, "run 1 of 4 (without the change) ", end);
    assertTrue(refused.err().contains(sentence), refused.err());
  }

  @Test
  void aProgramThatDoesNotEndIsEnded() throws Exception {
    Forked refused =
        printed(Jdk.JAVA_21, "--timeout 3s --java-options-after -Dx", "5 operations", "1000000000");
    assertRefused(refused, "did not finish within 3 s", "5 operations");
  }

  @Test
  void aJavaThatIsNotThereIsToldBeforeAnythingRuns() throws Exception {
    Forked refused = printed(Jdk.JAVA_21, "--jdk-after none", "5 operations");
    assertRefused(refused, "cannot run", "--jdk-after");
  }

  @Test
  void aJvmThatRefusesItsOptionsIsQuoted() throws Exception {
    Forked refused = printed(Jdk.JAVA_21, "--java-options-after -XX:+NoSuchOption", "5 operations");
    assertRefused(refused, "(with the change) ended with exit code 1", "NoSuchOption");
  }

  @ParameterizedTest
  @EnumSource
  void aServerIsMeasuredOnBothSidesInTurns(Jdk jdk) throws Exception {
    Forked compared = http(jdk, "well", freePort(), "--json");
    assertEquals("", compared.err());
    assertEquals(0, compared.exitCode());
    JsonNode report = valid(compared.out());
    assertEquals(
        List.of("BEFORE", "AFTER", "AFTER", "BEFORE"),
        report.path("runs").findValuesAsText("side"));
    for (JsonNode run : report.path("runs")) {
      JsonNode measured = run.path("measured").path(0);
      assertTrue(measured.path("perSecond").asDouble() > 0, run.toString());
      assertTrue(measured.path("requests").path("sent").asInt() > 0, run.toString());
      assertEquals(0, measured.path("requests").path("errors").asInt(), run.toString());
      assertTrue(run.path("peakHeapBytes").asLong() > 100_000, run.toString());
      // Every request sleeps in a monitor, which pins on 21 only; the JDK's server pins by itself
      // now
      // and then.
      boolean pins = jdk == Jdk.JAVA_21 && run.path("side").asText().equals("BEFORE");
      int few = measured.path("requests").path("sent").asInt() / 2;
      assertEquals(pins, run.path("pins").path("count").asInt(-1) > few, run.toString());
      assertEquals(
          jdk == Jdk.JAVA_21 ? "21" : "25", run.path("pins").path("java").asText().substring(0, 2));
    }
    assertEquals("throughput", report.path("measures").path(0).path("decisive").asText());
    assertTrue(report.path("prediction").has("notPredicted"), report.toString());
    assertTrue(report.path("ceilingPerSecond").asDouble() > 0);
  }

  @Test
  void anOpenLoopIsJudgedByTheP99OfEachUrl() throws Exception {
    int port = freePort();
    List<String> arguments =
        compare(
            Jdk.JAVA_25,
            "--http "
                + url(port)
                + " --http beside="
                + url(port)
                + "beside --rate 50 --pairs 2 --warm-up 200ms --duration 1s --no-record --json"
                + " --java-options-after -Dx");
    arguments.addAll(List.of(Answers.class.getName(), "well", Integer.toString(port)));
    Forked compared = run(arguments);
    assertEquals(0, compared.exitCode(), compared.err());
    JsonNode report = valid(compared.out());
    assertEquals(List.of("p99", "p99"), report.path("measures").findValuesAsText("decisive"));
    for (JsonNode run : report.path("runs")) {
      assertEquals(List.of("50", "50"), run.findValuesAsText("sent"));
      assertEquals(List.of(url(port), "beside"), run.path("measured").findValuesAsText("name"));
      assertTrue(run.path("pins").isNull());
      assertTrue(run.path("peakHeapBytes").isNull());
    }
    assertTrue(report.path("prediction").isNull());
  }

  @Test
  void aProgramThatCountsIsMeasured() throws Exception {
    Forked text =
        printed(Jdk.JAVA_21, "--java-options-after -Dx -v -o report.txt", "did 1,000 operations");
    assertEquals(0, text.exitCode(), text.err());
    assertEquals("", text.out());
    assertTrue(text.err().contains("run 4 of 4"), text.err());
    String report = Files.readString(folder.resolve("report.txt"));
    assertTrue(
        report.matches(
            "(?s)(FASTER|NO DIFFERENCE|SLOWER|NOT ENOUGH EVIDENCE)  .* over 2 pairs\n.*"),
        report);
    assertTrue(report.contains("change: --java-options-after -Dx\n"), report);

    Forked markdown =
        printed(Jdk.JAVA_21, "--java-options-after -Dx --markdown --no-record", "77 ops/s");
    assertEquals(0, markdown.exitCode(), markdown.err());
    // The same on both sides, whatever the machine does.
    assertTrue(
        markdown
            .out()
            .startsWith(
                "## Comparison\n\n"
                    + "**NO DIFFERENCE**: 1.00 times the throughput, 95% interval 1.00 to 1.00 over"
                    + " 2 pairs\n"),
        markdown.out());
    assertTrue(
        markdown.out().contains("| throughput | 77.0/s | 77.0/s | 1.00 | 1.00 to 1.00 |\n"),
        markdown.out());
  }

  /** Each call of the one calls the other, once on one side and twice on the other. */
  @ParameterizedTest
  @ValueSource(strings = {"for-ever", "ends"})
  void callsAreCountedWhetherTheProgramEndsOrNot(String how) throws Exception {
    String method = Calls.class.getName() + "#";
    Forked compared =
        counted(
            "--warm-up 300ms --duration 1500ms --json --count %swork --count beside=%sbeside"
                .formatted(method, method),
            how);
    assertEquals("", compared.err());
    JsonNode report = valid(compared.out());
    assertEquals(2, report.path("measures").size());
    for (JsonNode run : report.path("runs")) {
      assertEquals(
          List.of(method + "work", "beside"), run.path("measured").findValuesAsText("name"));
      double work = run.path("measured").path(0).path("perSecond").asDouble();
      double beside = run.path("measured").path(1).path("perSecond").asDouble();
      assertTrue(work > 0, run.toString());
      int times = run.path("side").asText().equals("AFTER") ? 2 : 1;
      // A line is written between two counts at worst.
      assertEquals(work * times, beside, 5, run.toString());
    }
  }

  @Test
  void eachOperationHasItsOwnVerdictAndNoneIsAFigure() throws Exception {
    List<String> arguments =
        compare(Jdk.JAVA_21, "--pairs 3 --no-record --java-options-after -Dfigure=19596");
    int end = arguments.indexOf("--");
    arguments.addAll(
        end,
        List.of(
            "--operations", "shared=(\\d+) ops/s, ", "--operations", "unrelated=, (\\d+) ops/s"));
    arguments.addAll(List.of(Counts.class.getName(), "98 ops/s, FIGURE ops/s"));
    Forked text = run(arguments);
    assertEquals(0, text.exitCode(), text.err());
    assertTrue(
        text.out()
            .matches(
                "(?s)NO DIFFERENCE  shared: 1.00 times the throughput, 95% interval 1.00 to 1.00"
                    + " over 3 pairs\nFASTER         unrelated: none before, 19,596/s after; at"
                    + " least [\\d,.]+ times the throughput \\(95%\\) over 3 pairs\n  In short:"
                    + " unrelated is faster, shared is unchanged.\n.*"),
        text.out());
    arguments.add(end, "--json");
    JsonNode report = valid(run(arguments).out());
    JsonNode unrelated = report.path("measures").path(1);
    assertEquals(0, unrelated.path("throughput").path("before").asInt(-1));
    assertTrue(unrelated.path("throughput").path("ratio").path("estimate").isNull());
    assertTrue(unrelated.path("throughput").path("ratio").path("high").isNull());
  }

  @Test
  void aMeasureThatIsNotPrintedIsNamed() throws Exception {
    assertRefused(
        printed(
            Jdk.JAVA_21,
            "--java-options-after -Dx --operations shared=(\\d+)/s --operations beside=(\\d+)x",
            "5/s"),
        "printed no number of operations for beside;",
        "5/s");
  }

  @Test
  void aWhatIfTakesThePinsAway() throws Exception {
    List<String> arguments = compare(Jdk.JAVA_21, "--what-if auto --pairs 2 --json");
    arguments.add(OwnLocks.class.getName());
    Forked compared = run(arguments);
    assertEquals(0, compared.exitCode(), compared.err());
    JsonNode result = valid(compared.out());
    // What it says depends on the machine, but the classes it needs are found.
    String why = result.path("prediction").path("notPredicted").asText();
    assertFalse(why.startsWith("the advice for"), why);
    assertEquals("--what-if auto", result.path("changes").path(0).asText());
    for (JsonNode one : result.path("runs")) {
      boolean before = one.path("side").asText().equals("BEFORE");
      long pins = one.path("pins").path("count").asLong();
      // 500 waits; class loading at the start can pin once or twice on either side.
      assertTrue(before ? pins > 250 : pins < 50, one.toString());
    }
  }

  @Test
  void anotherClassPathIsTheChange() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Forked refused = printed(Jdk.JAVA_21, "--classpath-after " + empty, "5 operations");
    assertRefused(refused, "(with the change) ended with exit code 1", "ClassNotFoundException");
  }

  @Test
  void whoInterruptsItEndsAllOfIt() throws Exception {
    int port = freePort();
    List<String> arguments =
        compare(
            Jdk.JAVA_21,
            "--http " + url(port) + " --pairs 2 --duration 10m --java-options-after -Dx");
    arguments.addAll(List.of(Answers.class.getName(), "clings", Integer.toString(port)));
    arguments.addFirst(Jdk.JAVA_25.java().toString());
    Process comparing =
        new ProcessBuilder(arguments)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out.txt").toFile())
            .start();
    try {
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (running().count() < 2 && System.nanoTime() - deadline < 0) {
        assertTrue(comparing.isAlive(), Files.readString(folder.resolve("out.txt")));
        Thread.onSpinWait();
      }
      assertEquals(2, running().count());
      comparing.destroy();
      assertTrue(comparing.waitFor(1, TimeUnit.MINUTES));
    } finally {
      comparing.destroyForcibly();
    }
  }

  private static JsonNode valid(String report) throws IOException {
    Path schema = Jdks.projectFolder().resolve("docs/compare.schema.json");
    Validator.Result result =
        new ValidatorFactory()
            .withJsonNodeFactory(new JacksonNode.Factory())
            .validate(Files.readString(schema), report);
    assertTrue(result.isValid(), () -> result.getErrors() + "\n" + report);
    return new ObjectMapper().readTree(report);
  }
}
