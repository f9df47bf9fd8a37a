package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code vtdiag compare} on real programs, none of which may outlive its comparison. */
abstract class Comparing {
  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();

  /** On the command line of every process of this test. */
  final String mark = "-Dmark=" + UUID.randomUUID();

  @TempDir Path folder;

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
  final Stream<String> running() {
    return ProcessHandle.allProcesses()
        .filter(ProcessHandle::isAlive)
        .flatMap(process -> process.info().commandLine().stream())
        .filter(line -> line.contains(mark) && !line.contains("vtdiag-cli.jar"));
  }

  /**
   * One that no connection of another program gets from the system, before the server or between
   * two.
   */
  static int freePort() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(15_000, 30_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Somebody listens there; another one.
      }
    }
  }

  static String url(int port) {
    return "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port + "/";
  }

  final List<String> compare(Jdk jdk, String options) throws IOException {
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    List<String> arguments = new ArrayList<>();
    arguments.addAll(CommandLine.start(Jdk.JAVA_25, "-Djava.io.tmpdir=" + temporary));
    arguments.add("compare");
    arguments.addAll(List.of("--jdk", jdk.home().toString(), "--cool-down", "0"));
    arguments.addAll(List.of(options.split(" ")));
    arguments.addAll(List.of("--", mark, Forked.QUICK, Forked.PATIENT, "-cp", CLASSES));
    return arguments;
  }

  final Forked run(List<String> arguments) throws Exception {
    return Forked.run(
        folder, Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()), arguments);
  }

  static void assertRefused(Forked refused, String sentence, String end) {
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

  static JsonNode valid(String report) throws IOException {
    Path schema = Jdks.projectFolder().resolve("docs/compare.schema.json");
    Validator.Result result =
        new ValidatorFactory()
            .withJsonNodeFactory(new JacksonNode.Factory())
            .validate(Files.readString(schema), report);
    assertTrue(result.isValid(), () -> result.getErrors() + "\n" + report);
    return new ObjectMapper().readTree(report);
  }
}
