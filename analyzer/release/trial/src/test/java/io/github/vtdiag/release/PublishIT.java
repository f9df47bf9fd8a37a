package io.github.vtdiag.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The release is sent as the portal's interface describes it; here to a server of the test's own.
 */
final class PublishIT {
  @TempDir private Path folder;

  @Test
  void aReleaseThatIsNotThereOrHasNoTokenIsNotSent() throws Exception {
    Forked none = publish(Map.of("CENTRAL_TOKEN", "a:b"), "0.0.1", "http://localhost:1");
    assertEquals(1, none.exitCode());
    assertTrue(none.err().contains("no release 0.0.1 in "), none.err());
    Forked tokenless = publish(Map.of("CENTRAL_TOKEN", ""), Released.VERSION);
    assertEquals(1, tokenless.exitCode());
    assertTrue(tokenless.err().contains("set CENTRAL_TOKEN to the user token"), tokenless.err());
    Forked snapshot = publish(Map.of("CENTRAL_TOKEN", "a:b"), "1-SNAPSHOT", "http://localhost:1");
    assertTrue(snapshot.err().contains("Central takes no snapshot"), snapshot.err());
  }

  @Test
  void onlyASignedReleaseIsSentAndWithItsToken() throws Exception {
    AtomicReference<String> authorization = new AtomicReference<>();
    AtomicReference<byte[]> body = new AtomicReference<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/publisher/upload",
        exchange -> {
          authorization.set(exchange.getRequestHeaders().getFirst("Authorization"));
          body.set(exchange.getRequestBody().readAllBytes());
          byte[] answer = "28570f16-da32".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(201, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    try {
      String portal = "http://localhost:" + server.getAddress().getPort();
      Forked sent = publish(Map.of("CENTRAL_TOKEN", "name:word"), Released.VERSION, portal);
      if (!Files.exists(Path.of(Released.file("vtdiag-core", ".jar") + ".asc"))) {
        assertEquals(1, sent.exitCode());
        assertTrue(
            sent.err().contains("is not signed; build the release with MAVEN_GPG_KEY"), sent.err());
        assertEquals(null, body.get());
        return;
      }
      assertEquals(0, sent.exitCode(), sent.err());
      assertTrue(sent.out().contains("deployment 28570f16-da32"), sent.out());
      assertEquals("Bearer bmFtZTp3b3Jk", authorization.get());
      assertEquals(List.of(), CentralRules.problems(unpack(body.get())));
    } finally {
      server.stop(0);
    }
  }

  private Path unpack(byte[] form) throws IOException {
    // The one part begins after the first empty line.
    String text = new String(form, StandardCharsets.ISO_8859_1);
    int begin = text.indexOf("\r\n\r\n") + 4;
    Path unpacked = folder.resolve("bundle");
    try (ZipInputStream zip =
        new ZipInputStream(
            new ByteArrayInputStream(Arrays.copyOfRange(form, begin, form.length)))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = unpacked.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(zip, file);
      }
    }
    return unpacked;
  }

  private Forked publish(Map<String, String> environment, String... arguments) throws Exception {
    String script = Jdks.projectFolder().resolve(".ci/publish").toString();
    return Forked.run(
        folder, environment, Stream.concat(Stream.of(script), Stream.of(arguments)).toList());
  }
}
