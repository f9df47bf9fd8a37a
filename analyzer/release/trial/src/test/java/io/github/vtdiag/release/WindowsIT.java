package io.github.vtdiag.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher for Windows, run by Wine with a Java of Windows: {@code .ci/programs windows}
 * fetches both.
 */
final class WindowsIT {
  private static final Path WINE = Path.of("/usr/bin/wine");
  private static final Path JAVA =
      Path.of(System.getProperty("user.home"), ".cache/vtdiag/windows-jdk");

  // Wine's services may still write there.
  @TempDir(cleanup = CleanupMode.NEVER)
  private Path folder;

  private Path launcher;

  @BeforeEach
  void unpack() throws Exception {
    if (!Files.isExecutable(WINE) || !Files.isDirectory(JAVA)) {
      System.out.println("NOT RUN: there is no Wine, or no Java of Windows: .ci/programs windows");
      abort("no Wine");
    }
    String name = "vtdiag-" + Released.VERSION;
    Path archive = Jdks.projectFolder().resolve("target/distribution").resolve(name + ".zip");
    Path to = folder.resolve("Program Files (x86)");
    Forked unzipped =
        Forked.run(
            folder, Map.of(), List.of("unzip", "-q", archive.toString(), "-d", to.toString()));
    assertEquals(0, unzipped.exitCode(), unzipped.err());
    launcher = to.resolve(name).resolve("bin/vtdiag.cmd");
  }

  @AfterEach
  void stopWine() throws Exception {
    if (launcher != null) {
      Forked.run(folder, environment(), List.of(WINE.toString(), "wineboot", "--kill"));
    }
  }

  @Test
  void itSaysWhatIsMissingOrWrongWithItsOwnExitCodes() throws Exception {
    Forked noJava = launch("C:\\nowhere", "--version");
    assertEquals(3, noJava.exitCode(), noJava.out());
    assertTrue(
        noJava.err().contains("found no Java 21 or later at C:\\nowhere\\bin\\java.exe"),
        noJava.err());

    Forked wrong = launch(windows(JAVA), "analyze", "--nonsense", "app.jfr");
    assertEquals(2, wrong.exitCode(), wrong.err());
    assertTrue(wrong.err().contains("--nonsense"), wrong.err());
  }

  @Test
  void itReadsARecordingWithSpacesInEachPath() throws Exception {
    Path program =
        Files.writeString(
            folder.resolve("Pins.java"),
            """
            class Pins {
              static class Slow { static { java.util.concurrent.locks.LockSupport.parkNanos(60_000_000); } }
              public static void main(String[] a) throws Exception {
                Thread.ofVirtual().start(() -> new Slow()).join();
              }
            }
            """);
    Path recording = folder.resolve("my app.jfr");
    Path agent = launcher.getParent().getParent().resolve("lib/vtdiag.jar");
    Forked run =
        Forked.java(
            Jdk.JAVA_25,
            folder,
            "-javaagent:" + agent + "=output=" + recording,
            program.toString());
    assertEquals(0, run.exitCode(), run.err());
    // JSON is UTF-8 anywhere; text is in the console's own character set.
    Forked analysis = launch(windows(JAVA), "analyze", "--json", "\"" + windows(recording) + "\"");
    assertEquals(0, analysis.exitCode(), analysis.err());
    assertTrue(analysis.out().contains("Pins$Slow"), analysis.out());

    Path report = folder.resolve("a report.json");
    Forked written =
        launch(
            windows(JAVA),
            "analyze",
            "--json",
            "\"" + windows(recording) + "\"",
            "-o",
            "\"" + windows(report) + "\"");
    assertEquals(0, written.exitCode(), written.out() + written.err());
    assertTrue(Files.readString(report).contains("Pins$Slow"));
  }

  /** Runs the launcher as a batch file's line does: Wine quotes arguments in its own way. */
  private Forked launch(String javaHome, String... arguments) throws Exception {
    String line =
        Stream.concat(Stream.of("\"" + windows(launcher) + "\""), Arrays.stream(arguments))
            .collect(Collectors.joining(" "));
    Path batch = Files.writeString(folder.resolve("line.cmd"), "@echo off\r\n" + line + "\r\n");
    Map<String, String> environment = environment();
    environment.put("JAVA_HOME", javaHome);
    return Forked.run(folder, environment, List.of(WINE.toString(), "cmd", "/c", windows(batch)));
  }

  private Map<String, String> environment() throws IOException {
    Map<String, String> variables = new HashMap<>();
    variables.put("WINEPREFIX", Files.createDirectories(folder.resolve("wine")).toString());
    variables.put("WINEDEBUG", "-all");
    return variables;
  }

  /** Returns a path of this machine as Wine's programs see it. */
  private static String windows(Path path) {
    return "Z:" + path.toAbsolutePath().toString().replace('/', '\\');
  }
}
