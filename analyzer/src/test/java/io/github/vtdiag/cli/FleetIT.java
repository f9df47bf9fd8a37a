package io.github.vtdiag.cli;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.cli.programs.Serves;
import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.WarmCommandLine;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of several services in a lake, by the built command line with DuckDB itself. */
final class FleetIT {
  /** What must be in no byte of what vtdiag writes. */
  private static final String SECRET = "hunter2";

  /** What commands are given to read or to write. */
  private static final Set<String> FILES = Set.of("in", "lake", "other", "nowhere");

  @TempDir private static Path recordings;

  @TempDir private Path folder;

  private static byte[] old;
  private static byte[] young;
  private static byte[] stock;

  @BeforeAll
  static void record() throws Exception {
    old = record(Jdk.JAVA_21, "shop", "1.9", "shop-a");
    young = record(Jdk.JAVA_21, "shop", "1.10", "shop-b");
    stock = record(Jdk.JAVA_25, "../../stock/..", "3", "stock-a");
    all(recordings);
    Forked added = fleet(recordings, "add", "in", "--lake", "lake", "-q");
    assertEquals(0, added.exitCode(), added.err());
  }

  private static byte[] record(Jdk jdk, String service, String version, String pod)
      throws Exception {
    String agent = Path.of("..", "agent", "target", "vtdiag.jar").toRealPath().toString();
    List<String> command =
        List.of(
            jdk.java().toString(),
            "-XX:TieredStopAtLevel=1",
            Forked.PATIENT,
            "-Ddb.password=" + SECRET,
            "-Ddb.url=jdbc:x?user=a&password=" + SECRET,
            "-javaagent:" + agent + "=output=" + pod + ".jfr,warn=off",
            "-cp",
            Path.of("target", "test-classes").toAbsolutePath().toString(),
            Serves.class.getName(),
            "--api-token",
            SECRET);
    Forked run =
        Forked.run(
            recordings,
            Map.of(
                "OTEL_SERVICE_NAME",
                service,
                "OTEL_RESOURCE_ATTRIBUTES",
                "service.version=%s,k8s.pod.name=%s,api.key=%s".formatted(version, pod, SECRET),
                "DB_PASSWORD",
                SECRET),
            command);
    assertEquals(0, run.exitCode(), run.err());
    return Files.readAllBytes(recordings.resolve(pod + ".jfr"));
  }

  private Forked fleet(String... arguments) throws Exception {
    return fleet(folder, arguments);
  }

  /** In a JVM that loads DuckDB once; its working folder is another one. */
  private static Forked fleet(Path folder, String... arguments) throws Exception {
    return WarmCommandLine.run(
        Jdk.JAVA_25,
        Stream.concat(Stream.of("fleet"), Stream.of(arguments))
            .map(each -> FILES.contains(each) ? folder.resolve(each).toString() : each)
            .toArray(String[]::new));
  }

  /** In the folder itself, as it is used. */
  private Forked within(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("fleet"));
    all.addAll(List.of(arguments));
    Path cache = Path.of("target", "fleet-cache").toAbsolutePath();
    return Forked.run(
        folder, Map.of("XDG_CACHE_HOME", cache.toString()), CommandLine.command(Jdk.JAVA_25, all));
  }

  private void write(String name, byte[] bytes) throws Exception {
    write(folder, name, bytes);
  }

  private static void write(Path folder, String name, byte[] bytes) throws Exception {
    Path file = folder.resolve("in").resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  private void all() throws Exception {
    all(folder);
  }

  private static void all(Path folder) throws Exception {
    write(folder, "a/app.jfr", old);
    write(folder, "b/app.jfr", young);
    write(folder, "c.jfr", stock);
  }

  /** All recordings, and the lake that they have been added to. */
  private void lake() throws Exception {
    all();
    Path lake = recordings.resolve("lake");
    try (Stream<Path> files = Files.walk(lake)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve("lake").resolve(lake.relativize(file).toString()));
      }
    }
  }

  private Forked add(String... more) throws Exception {
    List<String> all = new ArrayList<>(List.of("add", "in", "--lake", "lake"));
    all.addAll(List.of(more));
    return fleet(all.toArray(String[]::new));
  }

  private String sql(String query) throws Exception {
    Forked answer = fleet("sql", "lake", query, "--json");
    assertEquals(0, answer.exitCode(), answer.err());
    return answer.out();
  }

  private static void assertOneLine(int code, String said, Forked run) {
    assertEquals(code, run.exitCode(), run::err);
    assertTrue(run.err().contains(said), run::err);
    assertEquals(1, run.err().strip().lines().count(), run::err);
  }

  @Test
  void badRecordingsAreALineEachAndTheRestIsAdded() throws Exception {
    all();
    write("empty.jfr", new byte[0]);
    write("empty too.jfr", new byte[0]);
    write("text.jfr", "hello".getBytes(StandardCharsets.UTF_8));
    byte[] cut = Arrays.copyOf(old, old.length * 3 / 2);
    System.arraycopy(old, 0, cut, old.length, cut.length - old.length);
    write("cut.jfr", cut);
    byte[] future = young.clone();
    future[5] = 9;
    write("future.jfr", future);
    Forked added = add();
    assertEquals(3, added.exitCode(), added::err);
    List<String> lines = added.err().strip().lines().toList();
    assertEquals(6, lines.size(), added::err);
    assertTrue(lines.get(0).contains("in/cut.jfr: the recording is cut off"), added::err);
    assertTrue(lines.get(1).contains("in/empty too.jfr: is empty"), added::err);
    assertTrue(lines.get(2).contains("in/empty.jfr: is empty"), added::err);
    assertTrue(lines.get(3).contains("in/future.jfr: the format version 9"), added::err);
    assertTrue(lines.get(4).contains("in/text.jfr: is no recording"), added::err);
    assertEquals(
        "vtdiag: added 5 recordings, 3 could not be read; the lake has 8 recordings in ",
        lines.get(5).replaceFirst("\\d+ files$", ""));
    assertTrue(
        sql("select count(*) as n from recording where problems like '%cut off%'")
            .contains("\"n\" : 1"));
    // The same again changes nothing.
    Forked again = add();
    assertEquals(0, again.exitCode(), again::err);
    assertTrue(again.err().contains("added 0 recordings, 8 were in it already"), again::err);
    assertTrue(sql("select count(*) as n from recording").contains("\"n\" : 8"));
  }

  @Test
  void whatIsNoLakeIsOneLine() throws Exception {
    all();
    assertOneLine(3, "is no lake", fleet("report", "lake"));
    assertOneLine(3, "no such file or folder", fleet("add", "nowhere", "--lake", "lake"));
    assertOneLine(3, "no regular file", fleet("add", "/dev/null", "--lake", "lake"));
    Files.createDirectories(folder.resolve("other"));
    Files.writeString(folder.resolve("other/notes.txt"), "mine");
    Files.createDirectories(folder.resolve("other/.scratch/mine"));
    assertOneLine(3, "not empty", fleet("add", "in", "--lake", "other"));
    try (Stream<Path> files = Files.list(folder.resolve("other"))) {
      assertEquals(2, files.count());
    }
    assertTrue(Files.exists(folder.resolve("other/.scratch/mine")));
    Files.createDirectories(folder.resolve("lake"));
    Files.writeString(folder.resolve("lake/vtdiag-lake.json"), "{\"vtdiagLake\": 7}");
    assertOneLine(3, "is a lake of version 7", fleet("report", "lake"));
    assertOneLine(3, "is a lake of version 7", add());
    Files.writeString(folder.resolve("lake/vtdiag-lake.json"), "{");
    assertOneLine(3, "is damaged", fleet("report", "lake"));
  }

  @Test
  void whatCannotBeReadIsALineAndTheRestIsAdded() throws Exception {
    Files.createDirectories(folder.resolve("real"));
    Files.write(folder.resolve("real/a.jfr"), old);
    Files.createSymbolicLink(folder.resolve("in"), Path.of("real"));
    Files.createSymbolicLink(folder.resolve("real/loop"), Path.of("../real"));
    Files.createSymbolicLink(folder.resolve("real/nowhere.jfr"), Path.of("none"));
    Forked added = add();
    assertEquals(3, added.exitCode(), added::err);
    assertTrue(added.err().contains("in/nowhere.jfr: is no regular file"), added::err);
    assertTrue(added.err().contains("added 1 recording; "), added::err);
    assertEquals(2, added.err().strip().lines().count(), added::err);
    Path closed = Files.createDirectories(folder.resolve("real/closed"));
    assertTrue(closed.toFile().setReadable(false));
    try {
      // Nothing is closed for root.
      String said =
          Files.isReadable(closed) ? "in/nowhere.jfr" : "in/closed: cannot be read: no permission";
      assertTrue(add().err().contains(said));
    } finally {
      assertTrue(closed.toFile().setReadable(true));
    }
  }

  @Test
  void aLakeInUseIsOneLine() throws Exception {
    all();
    Files.createDirectories(folder.resolve("lake"));
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("lake/lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertTrue(lock.isValid());
      assertOneLine(3, "is in use by another 'vtdiag fleet add'", add());
    }
    assertEquals(0, add("-q").exitCode());
  }

  @Test
  void wrongUsageIsOneLine() throws Exception {
    all();
    assertOneLine(2, "name what to do", fleet());
    assertOneLine(2, "10,000 characters", add("--service", "x".repeat(10_000)));
    assertOneLine(2, "cannot be grouped by 'color'", fleet("report", "lake", "--by", "color"));
  }

  @Test
  void offlineWithoutDuckDbIsOneLine() throws Exception {
    all();
    List<String> command = CommandLine.start(Jdk.JAVA_25, "-Duser.home=" + folder.resolve("home"));
    command.addAll(List.of("fleet", "add", "in", "--lake", "lake", "--offline"));
    Forked run =
        Forked.run(folder, Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()), command);
    assertOneLine(3, "offline, and the local repository does not have it", run);
  }

  @Test
  void namesOfServicesLeadNowhere() throws Exception {
    lake();
    assertEquals(0, add("-q", "--service", "..").exitCode());
    try (Stream<Path> files = Files.walk(folder)) {
      List<String> outside =
          files
              .filter(Files::isRegularFile)
              .map(file -> folder.relativize(file).toString())
              .filter(file -> !file.startsWith("in/") && !file.startsWith("lake/"))
              .toList();
      assertEquals(List.of(), outside);
    }
    // The name itself is as it was.
    assertTrue(sql("select service from recording").contains("\"../../stock/..\""));
  }

  @Test
  void aQueryReadsTheLakeAndNothingElse() throws Exception {
    lake();
    for (String query :
        List.of(
            "copy (select 1) to 'out.csv'",
            "select * from read_csv('/etc/passwd')",
            "select 1; drop view recording",
            "describe finding; drop view recording",
            " ; ",
            "set enable_external_access = true",
            "selec 1")) {
      assertOneLine(3, "", fleet("sql", "lake", query));
      assertFalse(Files.exists(folder.resolve("out.csv")));
    }
  }

  @Test
  void theReportLeadsToTheRecordings() throws Exception {
    lake();
    Forked text = fleet("report", "lake", "--by", "service,version");
    assertEquals(0, text.exitCode(), text::err);
    assertAll(
        () -> assertTrue(text.out().contains("3 recordings of 3 JVMs in 2 services"), text::out),
        () -> assertTrue(text.out().contains("programs.Serves.serve"), text::out),
        () -> assertTrue(text.out().contains("in/a/app.jfr, "), text::out),
        // Each group leads there, too.
        () ->
            assertTrue(
                text.out().matches("(?s).*shop +1\\.10 [^\n]* \\S*in/b/app.jfr\n.*"), text::out),
        // First seen in, by Maven's rules; as text 1.10 is before 1.9.
        () -> assertTrue(text.out().contains("shop 1.9 "), text::out),
        () -> assertTrue(text.out().matches("(?s).*shop +1\\.9 .*shop +1\\.10 .*"), text::out));
    Forked since = fleet("report", "lake", "--since", "1.10", "--json");
    assertEquals(0, since.exitCode(), since::err);
    assertTrue(since.out().contains("\"recordings\" : 2"), since::out);
    assertFalse(since.out().contains("in/a/app.jfr\""), since::out);
    Forked page = fleet("report", "lake", "--format", "html");
    assertTrue(page.out().startsWith("<!doctype html>"), page::out);
  }

  @Test
  void theGateJudgesEachService() throws Exception {
    lake();
    assertOneLine(3, "vtdiag.yml", within("gate", "lake"));
    Forked gate = policy("max-pin: 1ms");
    assertEquals(1, gate.exitCode(), () -> gate.out() + gate.err());
    assertTrue(gate.out().contains("FAIL"), gate::out);
    assertTrue(gate.out().contains("shop"), gate::out);
    assertTrue(gate.out().contains("Serves.serve"), gate::out);
    assertEquals(0, policy("max-pin: 1h").exitCode());
    write("empty.jfr", new byte[0]);
    assertEquals(3, add("-q", "--service", "shop").exitCode());
    assertEquals(4, policy("max-pin: 1h").exitCode());
  }

  private Forked policy(String limit) throws Exception {
    Files.writeString(folder.resolve("vtdiag.yml"), "limits: {%s}\n".formatted(limit));
    return within("gate", "lake");
  }

  @Test
  void whatAProcessLeftThatDiedDoesNotCount() throws Exception {
    lake();
    String before = sql("select count(*) as n, sum(total_nanos)::BIGINT as nanos from finding");
    Path left;
    try (Stream<Path> files = Files.walk(folder.resolve("lake/finding"))) {
      Path file = files.filter(f -> f.toString().endsWith(".parquet")).findFirst().orElseThrow();
      left = Files.copy(file, file.resolveSibling("of-no-batch.parquet"));
    }
    Files.createDirectories(folder.resolve("lake/.scratch/x"));
    Files.writeString(folder.resolve("lake/.scratch/x/finding.json"), "{");
    assertEquals(
        before, sql("select count(*) as n, sum(total_nanos)::BIGINT as nanos from finding"));
    assertEquals(0, add("-q").exitCode());
    assertFalse(Files.exists(left));
    assertFalse(Files.exists(folder.resolve("lake/.scratch")));
    assertEquals(
        before, sql("select count(*) as n, sum(total_nanos)::BIGINT as nanos from finding"));
  }

  @Test
  void manyBatchesBecomeOne() throws Exception {
    lake();
    Path alone;
    try (Stream<Path> files = Files.walk(folder.resolve("lake/recording"))) {
      alone =
          files
              .filter(file -> file.toString().matches(".*stock.*\\.parquet"))
              .findFirst()
              .orElseThrow();
    }
    String name = "shop-a";
    for (int i = 0; i < 17; i++) {
      byte[] other =
          new String(old, StandardCharsets.ISO_8859_1)
              .replace(name, "shop-" + (char) ('c' + i))
              .getBytes(StandardCharsets.ISO_8859_1);
      write("more-%d.jfr".formatted(i), other);
      assertEquals(0, add("-q").exitCode());
    }
    assertTrue(sql("select count(*) as n from recording").contains("\"n\" : 20"));
    assertTrue(
        sql("select count(*) as n from (select distinct recording from finding)")
            .contains("\"n\" : 19"));
    try (Stream<Path> batches = Files.list(folder.resolve("lake/batches"))) {
      assertTrue(batches.count() < 5);
    }
    // The files of the other service are merged; this one is alone in its folder, and stays.
    assertTrue(Files.exists(alone));
    try (Stream<Path> merged = Files.walk(folder.resolve("lake/recording/service=shop"))) {
      assertTrue(merged.filter(Files::isRegularFile).count() < 5);
    }
  }

  @Test
  void noSecretIsInAnyByte() throws Exception {
    lake();
    List<Path> written = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files.filter(Files::isRegularFile).forEach(written::add);
    }
    assertTrue(written.size() > 10, written::toString);
    for (Path file : written) {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      assertFalse(text.contains(SECRET), file::toString);
    }
    for (String format : List.of("text", "json", "markdown", "html")) {
      assertFalse(fleet("report", "lake", "--format", format).out().contains(SECRET), format);
    }
    assertFalse(allRows().contains(SECRET));
    for (String command : List.of("analyze", "report")) {
      Path out = folder.resolve("out-" + command);
      Forked run = CliJar.run(folder, command, "in/a/app.jfr", "-o", out.toString());
      assertEquals(0, run.exitCode(), run::err);
      assertFalse(Files.readString(out).contains(SECRET), command);
    }
  }

  /** Parquet is packed, so its content is looked at, too. */
  private String allRows() throws Exception {
    String tables =
        Stream.of("recording", "finding", "account", "hang", "stall", "gap", "stack", "frame")
            .map("select a::VARCHAR as row from %s a"::formatted)
            .collect(joining(" union all "));
    String rows = sql(tables);
    assertTrue(rows.contains("Serves"), rows);
    return rows;
  }

  /** JFR itself records variables, properties, arguments, and other processes' command lines. */
  @Test
  void noSecretOfAPlainRecordingIsInTheLake() throws Exception {
    Files.createDirectories(folder.resolve("in"));
    Process other = new ProcessBuilder("sh", "-c", "sleep 600; : of-others-" + SECRET).start();
    try {
      Forked run =
          Forked.run(
              folder,
              Map.of("DB_PASSWORD", "of-environment-" + SECRET),
              List.of(
                  Jdk.JAVA_21.java().toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:StartFlightRecording:settings=profile,filename=in/plain.jfr",
                  "-Ddb.url=of-properties-" + SECRET,
                  "-cp",
                  Path.of("target", "test-classes").toAbsolutePath().toString(),
                  Serves.class.getName(),
                  "of-arguments-" + SECRET));
      assertEquals(0, run.exitCode(), run::err);
    } finally {
      other.destroyForcibly();
    }
    String recorded = Files.readString(folder.resolve("in/plain.jfr"), StandardCharsets.ISO_8859_1);
    for (String of : List.of("environment", "properties", "arguments", "others")) {
      assertTrue(recorded.contains("of-" + of + "-" + SECRET), of);
    }
    assertEquals(0, add("-q").exitCode());
    try (Stream<Path> files = Files.walk(folder.resolve("lake"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertFalse(text.contains(SECRET), file::toString);
      }
    }
    assertFalse(allRows().contains(SECRET));
    for (String format : List.of("text", "json", "markdown", "html")) {
      assertFalse(fleet("report", "lake", "--format", format).out().contains(SECRET), format);
    }
  }
}
