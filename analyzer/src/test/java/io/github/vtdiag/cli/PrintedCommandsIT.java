package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.cli.programs.Holds;
import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that reports print are given to a shell as they are. */
final class PrintedCommandsIT {
  private static final Path CLASSES = Path.of("target", "test-classes").toAbsolutePath();

  @TempDir private Path folder;

  private void record(String file) throws Exception {
    Forked recorded =
        Forked.java(
            Jdk.JAVA_21,
            folder,
            Forked.QUICK,
            "-Xlog:disable",
            "-XX:StartFlightRecording=filename=" + file,
            "-jar",
            jar("shop-1.0.jar"),
            "20",
            "sea");
    assertEquals(0, recorded.exitCode(), recorded.err());
  }

  private String jar(String name) throws Exception {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Holds.class.getName());
    String holds = Holds.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(folder.resolve(name)), manifest)) {
      jar.putNextEntry(new JarEntry(holds));
      Files.copy(CLASSES.resolve(holds), jar);
    }
    return name;
  }

  private void copyProgram(String to) throws Exception {
    String holds = Holds.class.getName().replace('.', '/') + ".class";
    Path copy = folder.resolve(to).resolve(holds);
    Files.createDirectories(copy.getParent());
    Files.copy(CLASSES.resolve(holds), copy);
  }

  /** Runs a line in a shell that knows vtdiag. */
  private Forked shell(String line) throws Exception {
    String start =
        CommandLine.start(Jdk.JAVA_25).stream()
            .map(NextCommand::quoted)
            .collect(Collectors.joining(" "));
    return Forked.run(
        folder,
        Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()),
        List.of("sh", "-c", "vtdiag() { " + start + " \"$@\"; }\n" + line));
  }

  private static List<String> next(String report) {
    List<String> commands = new ArrayList<>();
    boolean inside = false;
    for (String line : report.lines().toList()) {
      inside = line.startsWith("  Next: ") || (inside && line.startsWith("        vtdiag "));
      if (inside) {
        commands.add(line.substring("  Next: ".length()));
      }
    }
    return commands;
  }

  @Test
  void theNextCommandsRunAsPrinted() throws Exception {
    record("my app.jfr");
    copyProgram("my classes");
    Path sources = Files.createDirectories(folder.resolve("src/main/java")).resolveSibling("it's");
    Files.createDirectories(sources);
    // As long as a build tool's.
    String longest =
        String.join(File.pathSeparator, Collections.nCopies(100, folder + "/my classes"));
    for (String path : List.of("my classes", longest)) {
      for (String command : List.of("analyze", "advise")) {
        Forked report =
            CliJar.run(
                folder,
                command,
                "my app.jfr",
                "--classpath",
                path,
                "--sources",
                "src/main/java",
                "--sources",
                "src/main/it's");
        assertEquals(0, report.exitCode(), report.err());
        List<String> commands = next(report.out());
        assertTrue(commands.size() > 1, report.out());
        for (String line : commands) {
          assertTrue(line.length() < 250, line);
          if (!line.startsWith("vtdiag compare ")) {
            Forked run = shell(line);
            int most = line.startsWith("vtdiag gate ") ? 1 : 0;
            assertTrue(run.exitCode() <= most, () -> line + ": " + run);
            assertTrue(run.out().contains("Holds.sleep") || most == 1, () -> line + ": " + run);
          }
        }
      }
    }
  }

  /** The first command of a new user names no class path. */
  @Test
  void theNextCommandsNameTheJarThatWasStarted() throws Exception {
    record("app.jfr");
    Forked report = CliJar.run(folder, "analyze", "app.jfr");
    assertEquals(0, report.exitCode(), report.err());
    String advise =
        next(report.out()).stream()
            .filter(line -> line.startsWith("vtdiag advise "))
            .findFirst()
            .orElseThrow();
    assertTrue(advise.contains("--classpath shop-1.0.jar"), advise);
    Files.createDirectories(folder.resolve("src/main/java"));
    Forked run = shell(advise);
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains(" -Xlog:disable -jar shop-1.0.jar 20 sea"), run.out());
  }

  @Test
  void soDoThoseOfAllDocuments() throws Exception {
    record("app.jfr");
    copyProgram("Orders"); // What the documents scan.
    for (String line : PrintedCommandsTest.golden()) {
      Forked run = shell(line);
      assertTrue(run.exitCode() <= 1, () -> line + ": " + run);
    }
  }
}
