package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * A real Prometheus server reads the metrics: the one that {@code VTDIAG_PROMETHEUS} names, or else
 * on the path or in {@code ~/.cache/vtdiag}. Where there is none, this says so and tests nothing.
 */
class PrometheusIT {
  private static final long PATIENCE_SECONDS = 60;
  private static final String COUNT = "vtdiag_pin_duration_seconds_count";
  private static final Pattern VALUE = Pattern.compile("\"value\":\\[[\\d.]+,\"([^\"]+)\"]");

  @TempDir Path folder;

  private static Path prometheus() {
    Optional<Path> found =
        Stream.concat(
                Stream.ofNullable(System.getenv("VTDIAG_PROMETHEUS")).map(Path::of),
                Stream.concat(
                    Stream.of(System.getenv("PATH").split(":", -1))
                        .map(bin -> Path.of(bin, "prometheus")),
                    Stream.of(
                        Path.of(System.getProperty("user.home"), ".cache/vtdiag/prometheus"))))
            .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
            .findFirst();
    String missing =
        "NOT RUN: no Prometheus on this machine (VTDIAG_PROMETHEUS=FILE, or on the path): whether"
            + " it reads vtdiag's metrics is untested";
    if (found.isEmpty()) {
      System.out.println(missing);
    }
    Assumptions.assumeTrue(found.isPresent(), missing);
    return found.get();
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  private Process start(Path prometheus, int port, URI target) throws IOException {
    Path config = folder.resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global:
          scrape_interval: 200ms
          scrape_timeout: 200ms
        scrape_configs:
          - job_name: app
            metrics_path: %s
            static_configs:
              - targets: ['%s']
        """
            .formatted(target.getPath(), target.getAuthority()));
    return new ProcessBuilder(
            prometheus.toString(),
            "--config.file=" + config,
            "--storage.tsdb.path=" + folder.resolve("tsdb"),
            "--web.listen-address=127.0.0.1:" + port)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("prometheus.txt").toFile())
        .start();
  }

  /** What Prometheus' API answers, once that is so. */
  private String answer(Process prometheus, int port, String path, Predicate<String> wanted)
      throws IOException, InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/" + path);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    String last = "";
    while (System.nanoTime() - end < 0 && prometheus.isAlive()) {
      try {
        last =
            client
                .send(
                    HttpRequest.newBuilder(uri).build(),
                    HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
                .body();
        if (wanted.test(last)) {
          return last;
        }
      } catch (IOException e) {
        // It does not listen yet.
      }
      Thread.sleep(100);
    }
    throw new AssertionError(
        path + ": " + last + "\n" + Files.readString(folder.resolve("prometheus.txt")));
  }

  private static String query(String expression) {
    return "query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8);
  }

  private static Predicate<String> is(double expected) {
    return answer -> {
      Matcher value = VALUE.matcher(answer);
      return value.find() && Double.parseDouble(value.group(1)) == expected;
    };
  }

  @ParameterizedTest
  @EitherJdk
  void prometheusReadsThemAll(Jdk jdk) throws Exception {
    Path server = prometheus();
    int port = freePort();
    try (MeteredProcess program = new MeteredProcess(jdk, folder, ",metrics=0")) {
      Process prometheus = start(server, port, program.metrics());
      try {
        program.settle();
        program.does("hostile");
        program.does("pin 7");
        program.read(
            read ->
                MeteredProcess.count(read, "$Copy") == 7 && MeteredProcess.count(read, "$Q") == 1);
        answer(
            prometheus,
            port,
            query("sum(" + COUNT + "{site=~\".*[$]Copy.*\",kind=\"pinned\"})"),
            is(7));
        answer(
            prometheus, port, query("max(vtdiag_scheduler_parallelism) and on() up == 1"), is(2));
        answer(
            prometheus,
            port,
            query(
                "count(vtdiag_pin_duration_seconds_count{site=~\".*[$]Q\\\"B\\\\\\\\U\u00fc"
                    + "\\\\\\\\u001b[.].*\"})"),
            is(1));
        answer(
            prometheus,
            port,
            query(
                "histogram_quantile(0.5, sum by (le) (jvm_thread_virtual_pinned_seconds_bucket))"
                    + " > bool 0.002"),
            is(1));
        for (List<String> family :
            List.of(
                List.of("jvm_thread_virtual_pinned_seconds", "histogram"),
                List.of("vtdiag_carrier_time_seconds", "counter"),
                List.of("vtdiag_carriers_kept", "gauge"))) {
          String metadata =
              answer(
                  prometheus,
                  port,
                  "metadata?metric=" + family.getFirst(),
                  body -> body.contains("\"type\""));
          assertTrue(metadata.contains("\"type\":\"" + family.getLast() + "\""), metadata);
        }
        String targets = answer(prometheus, port, "targets", body -> body.contains("lastError"));
        assertTrue(targets.contains("\"lastError\":\"\""), targets);
      } finally {
        prometheus.destroyForcibly().waitFor();
      }
      program.end();
    }
  }
}
