package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.github.vtdiag.cli.programs.Answers;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers under a load, those that go wrong first. */
@Order(1)
final class CompareHttpIT extends Comparing {
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dies|ended with exit code 7 before it responded at|no database",
        "silent|gave no good response at|thinking",
        "500|within 15 s (last: status 500)|listening",
        "stalls|completed no request in the measured 1 s|listening",
        "dies-later|ended with exit code 8 under load|out of luck",
        "fails-later|(last: status 500), more than --max-errors 1|listening"
      })
  void aServerThatGoesWrongIsASentenceAndTheEndOfItsOutput(String how, String sentence, String end)
      throws Exception {
    // Only those that never answer well wait for it.
    String timeout = how.equals("silent") || how.equals("500") ? "15s" : "1m";
    Forked refused = http(Jdk.JAVA_21, how, freePort(), "--timeout " + timeout + " -o report.txt");
    assertRefused(refused, "run 1 of 4 (without the change) ", end);
    assertTrue(refused.err().contains(sentence), refused.err());
    assertFalse(Files.exists(folder.resolve("report.txt")));
  }

  /** A server that is not ready says 503, and one that needs longer gets the time asked for. */
  @ParameterizedTest
  @CsvSource({"503-at-first, ''", "404-at-first, --timeout 1m"})
  void anErrorThatPassesIsAwaited(String how, String options) throws Exception {
    Forked compared = http(Jdk.JAVA_25, how, freePort(), ("--no-record " + options).strip());
    assertEquals(0, compared.exitCode(), compared.err());
  }

  @ParameterizedTest
  @CsvSource({"404", "500"})
  void anErrorThatStaysTheSameIsSaidSoon(String how) throws Exception {
    int port = freePort();
    long start = System.nanoTime();
    Forked refused = http(Jdk.JAVA_25, how, port, "--no-record");
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    assertRefused(
        refused,
        "run 1 of 4 (without the change) responded at %s with status %s for 5 s; check the URL"
            .formatted(url(port), how),
        "listening");
    assertTrue(seconds < 50, () -> "only after " + seconds + " s");
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
  void whoInterruptsItEndsAllOfIt() throws Exception {
    int port = freePort();
    List<String> arguments =
        compare(
            Jdk.JAVA_21,
            "--http " + url(port) + " --pairs 2 --duration 10m --java-options-after -Dx");
    arguments.addAll(List.of(Answers.class.getName(), "clings", Integer.toString(port)));
    Process comparing =
        new ProcessBuilder(arguments)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out.txt").toFile())
            .start();
    try {
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      // Distinct, because a process has its parent's command line until it becomes a program.
      while (running().distinct().count() < 2) {
        assertTrue(System.nanoTime() - deadline < 0, "the program and its child are not running");
        assertTrue(comparing.isAlive(), Files.readString(folder.resolve("out.txt")));
        Thread.onSpinWait();
      }
      comparing.destroy();
      assertTrue(comparing.waitFor(1, TimeUnit.MINUTES));
    } finally {
      comparing.destroyForcibly();
    }
  }
}
