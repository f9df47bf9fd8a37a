package samples.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code vtdiag sample}, what it refuses, and its experiment with sleeping tasks, whose runs write
 * into one folder.
 */
@Execution(ExecutionMode.SAME_THREAD)
class SleepersIT {
  @TempDir Path folder;

  private static void assertRefused(int code, String sentence, Forked refused) {
    assertEquals("vtdiag: " + sentence + "\n", refused.err());
    assertEquals("", refused.out());
    assertEquals(code, refused.exitCode());
  }

  @ParameterizedTest
  @CsvSource({
    "sleeper, ' (did you mean sleepers?)'",
    "Sleepres, ' (did you mean sleepers?)'",
    "pgjdbc, '; vtdiag sample lists them'"
  })
  void anUnknownNameIsRefused(String name, String hint) throws Exception {
    assertRefused(
        2,
        "there is no experiment " + name + hint + "; see vtdiag sample --help",
        Sampled.run(folder, name));
  }

  @Test
  void withoutANameAllAreListed() throws Exception {
    Forked listed = Sampled.run(folder);
    assertEquals(0, listed.exitCode(), listed.err());
    assertTrue(listed.out().startsWith("sleepers   10,000 tasks"), listed.out());
    assertTrue(Sampled.run(folder, "--version").out().matches("vtdiag \\d[^\n]*\nJava [^\n]*\n"));
  }

  @Test
  void whatCannotRunIsRefusedBeforeAnythingRuns() throws Exception {
    List<String> command = new ArrayList<>(Sampled.vtdiag());
    command.removeIf(word -> word.startsWith("-Dvtdiag.jdk21"));
    command.addAll(List.of("sample", "sleepers"));
    assertRefused(
        3,
        "no Java 21 to run the sample on; name one with --java HOME, or use the vtdiag launcher",
        Forked.run(folder, Map.of(), command));
    assertRefused(
        3,
        folder + " is not the home of a Java; check --java",
        Sampled.run(folder, "sleepers", "--java", folder.toString()));
    Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"17.0.9\"\n");
    assertRefused(
        3,
        folder + " is Java 17.0.9, and virtual threads need 21 or later; name another with --java",
        Sampled.run(folder, "sleepers", "--java", folder.toString()));
    command.set(command.indexOf("-Dvtdiag.home=" + Jdks.projectFolder()), "-Dvtdiag.home=/nowhere");
    command.addAll(List.of("--java", Jdk.JAVA_21.home().toString()));
    assertRefused(
        3,
        "the samples are not built; run ./vtdiag sample sleepers in vtdiag's source folder",
        Forked.run(folder, Map.of(), command));
  }

  @Test
  void whatCannotBeWrittenIsRefusedBeforeAnythingRuns() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertRefused(
        3,
        "cannot write " + folder + "; name another file with -o",
        Sampled.run(folder, "sleepers", "-o", folder.toString()));
    assertRefused(
        3,
        "the folder " + file + " cannot be made; check --plots",
        Sampled.run(folder, "sleepers", "--plots", file.toString()));
  }

  @Test
  void aProgramThatDiesIsQuoted() throws Exception {
    Path target = Files.createDirectories(folder.resolve("sample-apps/target"));
    Files.writeString(target.resolve("vtdiag-samples.jar"), "not a jar");
    Path agent = Files.createDirectories(folder.resolve("agent/target"));
    Files.writeString(agent.resolve("vtdiag.jar"), "not a jar");
    List<String> command = new ArrayList<>(Sampled.vtdiag());
    command.set(
        command.indexOf("-Dvtdiag.home=" + Jdks.projectFolder()), "-Dvtdiag.home=" + folder);
    command.addAll(List.of("sample", "sleepers"));
    Forked died = Forked.run(folder, Map.of(), command);
    assertEquals(3, died.exitCode(), died.err());
    assertEquals("", died.out());
    assertTrue(
        died.err()
            .matches(
                "(?s)vtdiag: samples\\.sleepers\\.Sleepers threads=virtual [^\n]* ended with exit"
                    + " code 1; the end of its output:\n  [^\n]*Sleepers.*"),
        died.err());
  }

  @Test
  void theMonitorIsNamedAndTheLockSetsTheOthersFree() throws Exception {
    Path plots = folder.resolve("plots");
    Forked run = Sampled.run(folder, "sleepers", "--short", "--json", "--plots", plots.toString());
    assertEquals(0, run.exitCode(), run.err());
    JsonNode json = Sampled.valid(run.out());
    assertEquals("[]", json.get("problems").toString());
    assertEquals(5, json.get("tables").get(0).get("rows").size());
    for (String monitor : List.of("one shared monitor", "a monitor per task")) {
      JsonNode diagnosis = Sampled.labelled(json.get("diagnoses"), monitor);
      assertTrue(diagnosis.get("pins").asInt() > 0, diagnosis.toString());
      assertTrue(
          diagnosis.get("first").asText().startsWith("samples.sleepers.Sleepers.in"),
          diagnosis.toString());
      Sampled.assertNamedIfTheLimit("samples\\.sleepers\\.Sleepers\\.in\\w+Monitor", diagnosis);
      assertTrue(
          diagnosis.get("cause").asText().startsWith("synchronized block, lock: "),
          diagnosis.toString());
    }
    for (String lock : List.of("one shared ReentrantLock", "a ReentrantLock per task")) {
      JsonNode diagnosis = Sampled.labelled(json.get("diagnoses"), lock);
      // On a busy machine the monitor of the executor's map may pin for some milliseconds.
      assertFalse(diagnosis.get("first").asText().startsWith("samples."), diagnosis.toString());
    }
    for (String plot : List.of("sleepers-21.svg", "sleepers-locks-21.svg")) {
      String svg = Files.readString(plots.resolve(plot));
      assertTrue(svg.contains("<title") && svg.endsWith("</svg\n>\n"), svg);
    }
  }

  @Test
  void nothingIsLeftRunningWhenItIsStopped() throws Exception {
    List<String> command = new ArrayList<>(Sampled.vtdiag());
    command.addAll(List.of("sample", "sleepers", "-v"));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    try (var lines = process.inputReader()) {
      for (String line = lines.readLine();
          line != null && !line.contains("pool of 200");
          line = lines.readLine()) {
        // Not yet.
      }
      List<ProcessHandle> children = new ArrayList<>();
      while (children.isEmpty() && process.isAlive()) {
        process.descendants().forEach(children::add);
      }
      process.destroy();
      assertTrue(process.waitFor(1, TimeUnit.MINUTES));
      for (ProcessHandle child : children) {
        child.onExit().get(1, TimeUnit.MINUTES);
      }
      assertFalse(children.isEmpty());
    } finally {
      process.destroyForcibly();
    }
  }

  /** A home whose {@code java} has a program do one task less than it is told. */
  private Path lazyJava() throws Exception {
    Path home = Files.createDirectories(folder.resolve("lazy"));
    Files.copy(Jdk.JAVA_21.home().resolve("release"), home.resolve("release"));
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        for word do
          shift
          case $word in tasks=*) word=tasks=$((${word#tasks=} - 1)) ;; esac
          set -- "$@" "$word"
        done
        exec '%s' "$@"
        """
            .formatted(Jdk.JAVA_21.java()));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    return home;
  }

  @Tag("full")
  @Test
  void aTaskThatIsNotDoneIsSaidFirst() throws Exception {
    Forked run = Sampled.run(folder, "sleepers", "--short", "--java", lazyJava().toString());
    assertEquals(1, run.exitCode(), run.err() + run.out());
    assertTrue(
        run.out().startsWith("WRONG  virtual threads: 1,999 of 2,000 tasks came out right\n"),
        run.out());
    assertTrue(
        run.out().contains("WRONG  pool of 1,000: 1,999 of 2,000 tasks came out right\n"),
        run.out());
  }
}
