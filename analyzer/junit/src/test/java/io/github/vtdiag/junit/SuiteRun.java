package io.github.vtdiag.junit;

import io.github.vtdiag.testing.Forked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the samples' tests as a build does: in a JVM of their own, with the built jar. */
final class SuiteRun {
  static final String SAMPLES = "io.github.vtdiag.junit.samples.";
  static final List<String> PARALLEL =
      List.of(
          "junit.jupiter.execution.parallel.enabled=true",
          "junit.jupiter.execution.parallel.mode.default=concurrent",
          "junit.jupiter.execution.parallel.config.strategy=fixed",
          "junit.jupiter.execution.parallel.config.fixed.parallelism=12");

  static Forked fork(
      Path folder, Path java, String junit, List<String> options, String... arguments)
      throws Exception {
    List<String> command =
        new ArrayList<>(List.of(java.toString(), Forked.QUICK, "-XX:+UseSerialGC"));
    command.addAll(options);
    command.addAll(
        List.of(
            "-cp",
            folder
                + ":"
                + Path.of("target", "test-classes").toAbsolutePath()
                + ":"
                + jar()
                + ":"
                + jars(junit),
            SAMPLES + "RunTests"));
    command.addAll(Arrays.asList(arguments));
    return Forked.run(folder, Map.of(), command);
  }

  static Path jar() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("target").toAbsolutePath())) {
      return files
          .filter(
              file ->
                  file.getFileName()
                      .toString()
                      .matches("vtdiag-junit-\\d[\\d.]*(-SNAPSHOT)?\\.jar"))
          // A release leaves one of another version here.
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
          .orElseThrow();
    }
  }

  static String jars(String junit) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("target", junit).toAbsolutePath())) {
      return files.map(Path::toString).collect(Collectors.joining(":"));
    }
  }

  static List<String> lines(String out, String pattern) {
    return out.lines().filter(line -> line.matches(pattern)).toList();
  }

  private SuiteRun() {}
}
