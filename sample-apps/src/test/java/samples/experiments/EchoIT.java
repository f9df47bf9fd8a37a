package samples.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code vtdiag sample echo}: many connections, and one that reads slowly. */
class EchoIT {
  @TempDir Path folder;

  /** Runs it in a shell that lets each process open no more files than that. */
  private Forked withFiles(int files, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -n " + files + " && exec \"$@\"", "sh"));
    command.addAll(Sampled.vtdiag());
    command.addAll(List.of("sample", "echo"));
    command.addAll(List.of(arguments));
    return Forked.run(
        folder, Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()), command);
  }

  @Test
  void tooManyForTheSystemAreRefusedWithTheCommandThatHelps() throws Exception {
    Forked refused = withFiles(1_000);
    assertEquals(3, refused.exitCode(), refused.err());
    assertEquals("", refused.out());
    assertEquals(
        "vtdiag: 100,000 connections are too many here: a process may open 1,000 files (ulimit"
            + " -Hn), and they would need more than 8 servers; raise it, 'sudo prlimit --pid $$"
            + " --nofile=100200:100200', or use --connections 6400\n",
        refused.err());
  }

  @Test
  void anEchoOfOneWrongByteEndsTheCrowd() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket client = server.accept()) {
                  for (int read = client.getInputStream().read();
                      read >= 0;
                      read = client.getInputStream().read()) {
                    client.getOutputStream().write(read == 'x' ? 'y' : read);
                  }
                } catch (IOException e) {
                  // The crowd has gone.
                }
              });
      Forked crowd =
          Forked.java(
              Jdk.JAVA_21,
              folder,
              "-cp",
              Jdks.projectFolder().resolve("sample-apps/target/vtdiag-samples.jar").toString(),
              "samples.echo.EchoCrowd",
              "port=" + server.getLocalPort(),
              "connections=1");
      assertEquals(1, crowd.exitCode(), crowd.out());
      assertFalse(crowd.out().contains("READY"), crowd.out());
      assertTrue(crowd.err().contains("connection 1: sent"), crowd.err());
    }
  }

  /** A process may open so few files that two servers have to share the connections. */
  @Tag("full")
  @Test
  void fewCarriersHaveAllConnectionsAndTheMonitorIsNamed() throws Exception {
    Forked run = withFiles(900, "--short", "--connections", "1200", "--json");
    assertEquals(0, run.exitCode(), run.err() + run.out());
    JsonNode json = Sampled.valid(run.out());
    assertEquals("[]", json.get("problems").toString());
    assertTrue(run.out().contains("2 servers of 600"), run.out());
    assertTrue(run.out().contains("a process may open 900 files here"), run.out());
    JsonNode monitor =
        Sampled.labelled(json.get("diagnoses"), "a slow client, writes under a shared monitor");
    assertTrue(monitor.get("pins").asInt() > 0, monitor.toString());
    assertTrue(
        monitor.get("first").asText().startsWith("samples.echo.EchoServer.reply"),
        monitor.toString());
    Sampled.assertNamedIfTheLimit("samples\\.echo\\.EchoServer\\.reply", monitor);
    JsonNode lock =
        Sampled.labelled(json.get("diagnoses"), "a slow client, writes under a shared lock");
    assertFalse(
        lock.get("first").asText().startsWith("samples.echo.EchoServer.reply"), lock.toString());
    assertEquals(2, json.get("versus").size());
  }

  /** Runs it so that what comes back to vtdiag itself is spoilt on the way. */
  private JsonNode meddled(Meddler meddler, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(Sampled.vtdiag());
    command.addAll(1, meddler.jvmOptions());
    command.add("sample");
    command.addAll(List.of(arguments));
    command.addAll(List.of("--short", "--json"));
    Forked run =
        Forked.run(folder, Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()), command);
    assertEquals(1, run.exitCode(), run.err() + run.out());
    return Sampled.valid(run.out()).get("problems");
  }

  private static void assertSays(String regex, JsonNode problems) {
    assertTrue(
        problems.valueStream().anyMatch(problem -> problem.asText().matches(regex)),
        problems.toString());
  }

  @Tag("full")
  @Test
  void aLineThatIsNotEchoedIsSaid() throws Exception {
    try (Meddler meddler = Meddler.start("user line", "user lied")) {
      JsonNode problems = meddled(meddler, "echo", "--connections", "400");
      String wrong =
          " [\\d,]+ came back wrong or not at all \\(last: what came back was not what was sent\\)";
      assertSays("of [\\d,]+ lines at the peak" + wrong, problems);
      assertSays("recorded: of [\\d,]+ lines at the peak" + wrong, problems);
      assertSays(
          "of [\\d,]+ lines beside a slow client \\(writes under a shared lock\\)" + wrong,
          problems);
    }
  }
}
