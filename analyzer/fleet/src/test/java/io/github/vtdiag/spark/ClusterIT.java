package io.github.vtdiag.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.fleet.Rows;
import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The built jar on a real cluster, beside the built command line. */
final class ClusterIT {
  private static final List<String> TABLES =
      List.of("recording", "finding", "account", "hang", "stall", "gap", "stack", "frame");

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private static Path shared;

  @TempDir private Path folder;

  private static Cluster cluster;
  private static byte[] old;
  private static byte[] young;
  private static byte[] hung;

  @BeforeAll
  static void start() throws Exception {
    old = new RecordedPrograms(shared).serves(Jdk.JAVA_21, "shop", "shop-a");
    young = new RecordedPrograms(shared).serves(Jdk.JAVA_25, "../../stock/..", "stock-a");
    hung = new RecordedPrograms(shared).hangs(Jdk.JAVA_21, "queue", "queue-a");
    cluster = new Cluster(shared);
    cluster.worker("worker-1");
    cluster.worker("worker-2");
  }

  @AfterAll
  static void end() throws Exception {
    cluster.end();
  }

  /** A recording of another JVM, which differs in the name of its pod. */
  private static byte[] ofPod(int number) {
    return new String(old, StandardCharsets.ISO_8859_1)
        .replace("shop-a", "%06d".formatted(number))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private void write(String name, byte[] bytes) throws Exception {
    Path file = folder.resolve("in").resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  private void many(int recordings) throws Exception {
    for (int i = 0; i < recordings; i++) {
      write("%d/app.jfr".formatted(i % 7) + i + ".jfr", ofPod(i));
    }
  }

  private Cluster.Running submit(String... arguments) throws Exception {
    return cluster.submit(List.of(), arguments);
  }

  private Cluster.Running add(String lake) throws Exception {
    return submit("add", at("in"), at(lake));
  }

  private String at(String name) {
    return folder.resolve(name).toString();
  }

  private static void assertOneLine(int code, String said, Cluster.Ended ended) {
    assertEquals(code, ended.exitCode(), ended::text);
    assertEquals(1, ended.lines().size(), ended::text);
    assertTrue(ended.lines().getFirst().contains(said), ended::text);
  }

  private Forked fleet(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("fleet"));
    all.addAll(Arrays.asList(arguments));
    Path cache = Path.of("target", "fleet-cache").toAbsolutePath();
    return Forked.run(
        folder, Map.of("XDG_CACHE_HOME", cache.toString()), CommandLine.command(Jdk.JAVA_25, all));
  }

  /** All rows of all tables of a lake, as the command line reads them. */
  private Map<String, String> rows(String lake) throws Exception {
    Map<String, String> rows = new LinkedHashMap<>();
    for (String table : TABLES) {
      Forked answer = fleet("sql", at(lake), "select * from " + table + " order by all", "--json");
      assertEquals(0, answer.exitCode(), answer.err());
      rows.put(table, answer.out());
    }
    return rows;
  }

  /** What the command line makes of the same recordings. */
  private Map<String, String> expected() throws Exception {
    Forked added = fleet("add", at("in"), "--lake", at("expected"), "-q");
    assertTrue(added.exitCode() == 0 || added.exitCode() == 3, added::err);
    return rows("expected");
  }

  private void assertRows(Map<String, String> expected, String lake) throws Exception {
    Map<String, String> rows = rows(lake);
    for (String table : TABLES) {
      assertEquals(expected.get(table), rows.get(table), table);
    }
    assertTrue(rows.get("recording").contains("app.jfr"), rows::toString);
  }

  private long files(String below) throws Exception {
    try (Stream<Path> files = Files.walk(folder.resolve(below))) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  @Test
  void whatIsWrongIsOneLine() throws Exception {
    assertOneLine(2, "name what to do", submit().end());
    assertOneLine(2, "PATH", submit("add", at("lake")).end());
    assertOneLine(2, "--color", submit("add", "--color", "red", at("in"), at("lake")).end());
    assertOneLine(2, "--batch", submit("add", "--batch", "0", at("in"), at("lake")).end());
    assertOneLine(2, "grouped by 'color'", submit("report", at("lake"), "--by", "color").end());
    assertOneLine(2, "no format", submit("report", at("lake"), "--format", "pdf").end());
    assertOneLine(
        2,
        "10,000 characters",
        submit("add", "--service", "x".repeat(10_000), at("in"), at("lake")).end());
    assertOneLine(3, "no such file or folder", submit("add", at("nowhere"), at("lake")).end());
    assertOneLine(3, "no regular file", submit("add", "/dev/null", at("lake")).end());
    write("app.jfr", young);
    write("other/notes.txt", new byte[1]);
    assertOneLine(3, "not empty", submit("add", at("in/app.jfr"), at("in/other")).end());
    assertOneLine(3, "is no lake", submit("compact", at("in")).end());
    Files.createDirectories(folder.resolve("lake"));
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("lake/lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertTrue(lock.isValid());
      assertOneLine(3, "is in use by another 'vtdiag fleet add'", add("lake").end());
    }
  }

  @Test
  void itsRowsAreThoseOfTheCommandLine() throws Exception {
    write("a/app.jfr", old);
    write("b/app.jfr", young);
    write("b/the same again.jfr", young);
    write("c:ü%20.jfr", ofPod(1));
    write("empty.jfr", new byte[0]);
    write("text.jfr", "hello".getBytes(StandardCharsets.UTF_8));
    write("cut.jfr", Arrays.copyOf(young, young.length * 9 / 10));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(ofPod(2));
    }
    write("packed.jfr.gz", packed.toByteArray());
    Map<String, String> expected = expected();
    // In several batches, of which one has nothing new.
    Cluster.Ended added = submit("add", "--batch", "3", at("in"), at("lake")).end();
    assertEquals(3, added.exitCode(), added::text);
    assertTrue(added.lines().get(0).contains("in/cut.jfr: the recording is cut"), added::text);
    assertTrue(added.lines().get(1).contains("in/empty.jfr: is empty"), added::text);
    assertTrue(added.lines().get(2).contains("in/text.jfr: is no recording"), added::text);
    assertTrue(
        added
            .lines()
            .get(3)
            .contains(
                "added 5 recordings, 1 were in it already, 2 could not be read; the lake has 7"
                    + " recordings in "),
        added::text);
    assertRows(expected, "lake");
    assertFalse(rows("lake").toString().contains(RecordedPrograms.SECRET));
    try (Stream<Path> files = Files.walk(folder.resolve("lake"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertFalse(text.contains(RecordedPrograms.SECRET), file::toString);
      }
    }
    // The same again changes nothing, whoever adds.
    assertOneLine(0, "added 0 recordings, 8 were in it already", add("lake").end());
    assertEquals(0, fleet("add", at("in"), "--lake", at("lake"), "-q").exitCode());
    assertRows(expected, "lake");
    // Batches of both become one.
    write("more.jfr", ofPod(3));
    assertEquals(0, fleet("add", at("in"), "--lake", at("lake"), "-q").exitCode());
    assertEquals(0, fleet("add", at("in"), "--lake", at("expected"), "-q").exitCode());
    assertOneLine(0, "the lake has 8 recordings in ", submit("compact", at("lake")).end());
    assertEquals(1, files("lake/batches"));
    assertRows(rows("expected"), "lake");
    Cluster.Ended asked =
        submit(
                "sql",
                at("lake"),
                "select service, count(*) as n, max(bucket_nanos(get(durations, 0).bucket)) > 0 as"
                    + " b from recording group by all order by service")
            .end();
    assertEquals(0, asked.exitCode(), asked::text);
    List<String> answer = asked.text().lines().filter(line -> line.startsWith("{")).toList();
    assertEquals(3, answer.size(), asked::text);
    assertEquals("{\"service\":\"shop\",\"n\":4,\"b\":true}", answer.get(2));
    assertOneLine(3, "wrong", submit("sql", at("lake"), "select wrong from recording").end());
  }

  /** Both engines ask the same questions, and each document is made of the answers. */
  @Test
  void itsDocumentsAreThoseOfTheCommandLine() throws Exception {
    many(4);
    write("young.jfr", young);
    write("hung.jfr", hung);
    write("empty.jfr", new byte[0]);
    assertEquals(3, fleet("add", at("in"), "--lake", at("lake"), "-q").exitCode());
    assertEquals(0, fleet("add", at("in/young.jfr"), "--lake", at("lake"), "-q").exitCode());
    String[] scope = {at("lake"), "--by", "service,version,jdk,date"};
    for (String format : List.of("text", "json", "html")) {
      String expected = answer(fleet(with(scope, "report", "--format", format)), 0);
      Cluster.Ended ended =
          submit(with(scope, "report", "--format", format, "-o", at(format))).end();
      assertEquals(0, ended.exitCode(), ended::text);
      assertEquals(expected, Files.readString(folder.resolve(format)));
    }
    String report = Files.readString(folder.resolve("text"));
    for (String said : List.of("Serves.serve", "deadlock", "shop", "in/empty.jfr", "JDK-")) {
      assertTrue(report.contains(said), report);
    }
    Path policy = folder.resolve("vtdiag.yml");
    Files.writeString(policy, "limits: {max-pin: 1ms}");
    String[] judge = {"gate", "--policy", policy.toString(), "--json"};
    String verdict = answer(fleet(with(scope, judge)), 1);
    assertTrue(verdict.contains("Serves.serve"), verdict);
    Cluster.Ended judged = submit(with(with(scope, "-o", at("verdict")), judge)).end();
    assertEquals(1, judged.exitCode(), judged::text);
    assertEquals(verdict, Files.readString(folder.resolve("verdict")));
    assertOneLine(3, "no such file", submit(with(scope, "gate", "--policy", at("none"))).end());
  }

  private static String answer(Forked run, int code) {
    assertEquals(code, run.exitCode(), run::err);
    return run.out();
  }

  private static String[] with(String[] more, String... first) {
    return Stream.of(first, more).flatMap(Stream::of).toArray(String[]::new);
  }

  /** A worker dies with its executor, and another takes its place. */
  @Test
  void aWorkerThatDiesChangesNoRow() throws Exception {
    many(240);
    Map<String, String> expected = expected();
    Cluster.Running dying = cluster.worker("worker-3");
    Cluster.Running job =
        cluster.submit(List.of("--conf", "spark.cores.max=3"), "add", at("in"), at("lake"));
    job.await("Registered executor.*Registered executor.*Registered executor.*Finished task");
    dying.kill();
    Cluster.Ended added = job.end();
    assertTrue(added.text().contains("Lost executor"), added::text);
    assertOneLine(0, "added 240 recordings; the lake has 240 recordings", added);
    assertRows(expected, "lake");
  }

  /** In HDFS, with a driver that is killed between two batches. */
  @Test
  void aJobThatDiesLeavesNothingOfItsBatch() throws Exception {
    many(60);
    Map<String, String> expected = expected();
    Hdfs hdfs = Hdfs.start(cluster, folder.resolve("hdfs"));
    hdfs.files().copyFromLocalFile(Hdfs.local(at("in")), hdfs.at("/in"));
    String lake = hdfs.address() + "/lake";
    String[] add = {"add", "--batch", "40", hdfs.address() + "/in", lake};
    Cluster.Running job = submit(add);
    // The first batch is in, and the second on its way.
    while (!hdfs.has("/lake/batches", ".json")) {
      assertTrue(job.process().isAlive(), job.text());
      Thread.sleep(10);
    }
    job.kill();
    Cluster.Ended left = submit("sql", lake, "select count(*) as n from recording").end();
    assertTrue(left.text().contains("{\"n\":40}"), left::text);
    assertOneLine(3, "is in use by another job", submit(add).end());
    assertTrue(hdfs.files().delete(hdfs.at("/lake/lock.job"), false));
    assertOneLine(0, "added 20 recordings, 40 were in it already", submit(add).end());
    assertFalse(hdfs.files().exists(hdfs.at("/lake/.scratch")));
    assertOneLine(0, "the lake has 60 recordings in ", submit("compact", lake).end());
    hdfs.files().copyToLocalFile(hdfs.at("/lake"), Hdfs.local(at("lake")));
    Map<String, String> rows = rows("lake");
    rows.replaceAll((table, text) -> text.replace(hdfs.address() + "/in/", at("in") + "/"));
    assertEquals(expected, rows);
    // A document takes the place of the one before.
    for (int i = 0; i < 2; i++) {
      String[] report = {"report", lake, "--json", "-o", hdfs.address() + "/fleet.json"};
      Cluster.Ended reported = submit(report).end();
      assertEquals(0, reported.exitCode(), reported::text);
    }
    hdfs.files().copyToLocalFile(hdfs.at("/fleet.json"), Hdfs.local(at("fleet.json")));
    String report = Files.readString(folder.resolve("fleet.json"));
    assertTrue(report.contains("\"recordings\" : 60"), report);
  }

  @Test
  void anObjectStoreHasTheSameRows() throws Exception {
    many(5);
    write("empty.jfr", new byte[0]);
    Map<String, String> expected = expected();
    String address =
        "http://127.0.0.1:"
            + cluster
                .store("fleet")
                .await("Tomcat started on ports \\d+ \\(https\\), (\\d+)")
                .group(1)
            + "/fleet/";
    try (Stream<Path> files = Files.walk(folder.resolve("in"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        put(address + folder.relativize(file), Files.readAllBytes(file));
      }
    }
    List<String> options =
        List.of(
            "--conf",
            "spark.hadoop.fs.s3a.endpoint=" + address.replace("/fleet/", ""),
            "--conf",
            "spark.hadoop.fs.s3a.endpoint.region=us-east-1",
            "--conf",
            "spark.hadoop.fs.s3a.path.style.access=true");
    String[] add = {"add", "s3a://fleet/in", "s3a://fleet/lake"};
    Cluster.Ended added = cluster.submit(options, add).end();
    assertEquals(3, added.exitCode(), added::text);
    assertTrue(added.lines().getLast().contains("added 5 recordings, 1 could not"), added::text);
    assertOneLine(
        0, "added 0 recordings, 6 were in it already", cluster.submit(options, add).end());
    put(address + "lake/lock.job", new byte[0]);
    assertOneLine(3, "is in use by another job", cluster.submit(options, add).end());
    Matcher keys =
        Pattern.compile("<Key>(lake/[^<]*[^</])</Key>")
            .matcher(new String(get(address + "?list-type=2"), StandardCharsets.UTF_8));
    while (keys.find()) {
      Path file = folder.resolve(keys.group(1));
      Files.createDirectories(file.getParent());
      Files.write(file, get(address + keys.group(1)));
    }
    Map<String, String> rows = rows("lake");
    rows.replaceAll((table, text) -> text.replace("s3a://fleet/in/", at("in") + "/"));
    // The key of an empty recording is made of its name.
    String empty = keyOfEmpty(at("in/empty.jfr"));
    String emptyInStore = keyOfEmpty("s3a://fleet/in/empty.jfr");
    rows.replaceAll((table, text) -> text.replace(emptyInStore, empty));
    assertEquals(expected, rows);
  }

  private static String keyOfEmpty(String name) throws IOException {
    return Rows.key(InputStream.nullInputStream(), name);
  }

  private static void put(String address, byte[] bytes) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address)).PUT(BodyPublishers.ofByteArray(bytes)).build();
    assertEquals(200, HTTP.send(request, BodyHandlers.ofByteArray()).statusCode(), address);
  }

  private static byte[] get(String address) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
    HttpResponse<byte[]> answer = HTTP.send(request, BodyHandlers.ofByteArray());
    assertEquals(200, answer.statusCode(), address);
    return answer.body();
  }
}
