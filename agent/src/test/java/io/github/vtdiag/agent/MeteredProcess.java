package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.agent.metrics.OpenMetricsText;
import io.github.vtdiag.agent.programs.Metered;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** {@link Metered} in a JVM of its own with the built agent, which does as it is told. */
final class MeteredProcess implements AutoCloseable {
  static final String PINS = "vtdiag_pin_duration_seconds";
  private static final String ADDRESS = "[vtdiag] metrics: ";
  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final BufferedReader lines;
  private final PrintStream commands;
  private final List<String> said = new ArrayList<>();

  MeteredProcess(Jdk jdk, Path folder, String options, String... jvmOptions) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(jdk.java().toString(), Forked.QUICK, Forked.PATIENT));
    command.addAll(List.of(jvmOptions));
    command.addAll(
        List.of(
            "-Djdk.virtualThreadScheduler.parallelism=2",
            AgentJar.option("output=a.jfr,warn=off,summary=off" + options),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Metered.class.getName()));
    process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    lines = process.inputReader(StandardCharsets.UTF_8);
    commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  /** What it says up to such a line, which is the last. */
  List<String> until(String start) throws IOException {
    List<String> heard = new ArrayList<>();
    while (heard.isEmpty() || !heard.getLast().startsWith(start)) {
      String line = lines.readLine();
      if (line == null) {
        throw new AssertionError("ended before '" + start + "': " + said);
      }
      heard.add(line);
      said.add(line);
    }
    return heard;
  }

  /** All that was heard so far. */
  List<String> said() {
    return said;
  }

  List<String> does(String command) throws IOException {
    commands.println(command);
    return until("did " + command.split(" ", 2)[0]);
  }

  URI metrics() throws IOException {
    return URI.create(
        said.stream()
            .filter(line -> line.startsWith(ADDRESS))
            .findFirst()
            .orElseGet(() -> address())
            .substring(ADDRESS.length()));
  }

  private String address() {
    try {
      return until(ADDRESS).getLast();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  String scrape() throws IOException, InterruptedException {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(metrics()).build(),
                HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    assertEquals(200, response.statusCode());
    return response.body();
  }

  /** The first reading of which that is true: events take a second or two. */
  OpenMetricsText read(Predicate<OpenMetricsText> wanted) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      String text = scrape();
      OpenMetricsText read = OpenMetricsText.parse(text);
      if (wanted.test(read)) {
        return read;
      }
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(text + said);
      }
      Thread.sleep(50);
    }
  }

  /** Pins until the first is seen: by then the classes are read that are in all of them. */
  void settle() throws Exception {
    while (OpenMetricsText.parse(scrape()).sum(PINS + "_count") == 0) {
      does("named First");
    }
  }

  /** How many pins of a place there are whose name has that in it. */
  static double count(OpenMetricsText text, String site) {
    return text.samples(PINS + "_count").stream()
        .filter(each -> each.labels().get("site").contains(site))
        .mapToDouble(OpenMetricsText.Sample::value)
        .sum();
  }

  /** Lets it end, and checks that nothing keeps it. */
  void end() throws IOException, InterruptedException {
    commands.close();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      said.add(line);
    }
    assertEquals(0, process.waitFor(), said::toString);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
