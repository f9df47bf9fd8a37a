package samples.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code vtdiag sample crawler}, and what its crawler does not take for a page. */
class CrawlerIT {
  private static final String STATS =
      "requests=0 connections=0 mostOpen=0 delayed=0 delayedMicros=0 cpuMillis=0 errors=0";

  @TempDir Path folder;

  /** A crawler that counted these as done would be a fast one. */
  @ParameterizedTest
  @CsvSource({
    "'%1$s', 99, 200, ' has 99 links, not 100'",
    "'/other', 100, 200, ' and got /other'",
    "'%1$s', 100, 500, 'response code: 500'"
  })
  void aWrongPageIsAnError(String title, int links, int status, String reason) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          StringBuilder page = new StringBuilder("<title>" + title.formatted(path) + "</title>");
          for (int i = 0; i < links; i++) {
            page.append("<a href=\"/").append(i).append("/0\">");
          }
          boolean stats = path.equals("/stats");
          byte[] body = (stats ? STATS : page.toString()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(stats ? 200 : status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      Forked crawler =
          Forked.java(
              Jdk.JAVA_21,
              folder,
              "-cp",
              Jdks.projectFolder().resolve("sample-apps/target/vtdiag-samples.jar").toString(),
              "samples.crawler.Crawler",
              "url=http://127.0.0.1:" + server.getAddress().getPort(),
              "tasks=5",
              "warmup=0");
      assertTrue(crawler.out().contains(" tasks=0 pages=0 links=0 errors=5 "), crawler.out());
      assertTrue(crawler.err().contains(reason), crawler.err());
    } finally {
      server.stop(0);
    }
  }

  @Tag("full")
  @Test
  void theMonitorOfASiteIsNamedAndNeitherTheLockNorTheJdk() throws Exception {
    Path plots = folder.resolve("plots");
    Forked run = Sampled.run(folder, "crawler", "--short", "--json", "--plots", plots.toString());
    assertEquals(0, run.exitCode(), run.err());
    JsonNode json = Sampled.valid(run.out());
    assertEquals("[]", json.get("problems").toString());
    assertEquals(4, json.get("tables").get(0).get("rows").size());
    assertEquals(1, json.get("versus").size());
    JsonNode monitor =
        Sampled.labelled(
            json.get("diagnoses"), "one page of a site at a time, synchronized, Java 21");
    assertTrue(
        monitor.get("first").asText().startsWith("samples.crawler.Site$Monitored.fetch"),
        monitor.toString());
    Sampled.assertNamedIfTheLimit("samples\\.crawler\\.Site\\$Monitored\\.fetch", monitor);
    JsonNode lock =
        Sampled.labelled(
            json.get("diagnoses"), "one page of a site at a time, ReentrantLock, Java 21");
    assertFalse(lock.toString().contains("Site$Monitored"), lock.toString());
    assertTrue(Files.readString(plots.resolve("crawler-21.svg")).contains("</svg"));
  }
}
