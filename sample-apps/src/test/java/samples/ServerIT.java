package samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import samples.pgjdbc.Server;

/** The PostgreSQL server goes when its client goes, however that ends. */
class ServerIT {
  private static final Pattern STARTED = Pattern.compile(".*:(\\d+)/.* in (/\\S+);.*");

  @TempDir Path folder;

  @Test
  void withoutDriverSaysWhatIsMissing() throws IOException, InterruptedException {
    var sample = new Sample("pgjdbc", "Before");
    Sample.Run run = sample.run(Jdk.JAVA_25, Sample.classPathWithoutDriver(), List.of(), folder);
    assertEquals(2, run.exitCode());
    assertEquals("", run.output());
    assertEquals(
        "no PostgreSQL driver on the class path; add 'sample-apps/target/lib-before/pgjdbc/*'",
        run.errors().strip());
  }

  @Test
  void thatCannotStartSaysWhy() {
    var e = assertThrows(IOException.class, () -> Server.start(-1));
    assertTrue(e.getMessage().contains("max_connections"), e::getMessage);
  }

  @Test
  void goesWithAKilledClient() throws Exception {
    Process client =
        Sample.builder(
                Jdk.JAVA_25,
                List.of("-cp", new Sample("pgjdbc", "Before").classPath(), Server.class.getName()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line = client.inputReader().readLine();
    Matcher started = STARTED.matcher(line);
    assertTrue(started.matches(), line);
    int port = Integer.parseInt(started.group(1));
    Path data = Path.of(started.group(2));
    connect(port);
    assertTrue(Files.isDirectory(data));

    List<ProcessHandle> guards = client.descendants().toList();
    client.destroyForcibly();

    for (ProcessHandle guard : guards) {
      guard.onExit().get(1, TimeUnit.MINUTES);
    }
    assertFalse(Files.exists(data));
    assertThrows(ConnectException.class, () -> connect(port));
  }

  private static void connect(int port) throws IOException {
    new Socket(InetAddress.getLoopbackAddress(), port).close();
  }
}
