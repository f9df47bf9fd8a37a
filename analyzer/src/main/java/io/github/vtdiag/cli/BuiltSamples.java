package io.github.vtdiag.cli;

import io.github.vtdiag.model.DataException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The samples as the launcher builds them, and the Java that runs them. */
final class BuiltSamples {
  private BuiltSamples() {}

  /**
   * Returns the folder of their jar.
   *
   * @param command builds them
   */
  static Path folder(String command) throws DataException {
    String home = System.getProperty("vtdiag.home", "");
    Path samples = Path.of(home, "sample-apps", "target").toAbsolutePath();
    if (home.isEmpty() || !Files.exists(samples.resolve("vtdiag-samples.jar"))) {
      throw new DataException(
          "the samples are not built; run ./" + command + " in vtdiag's source folder");
    }
    return samples;
  }

  /** Returns the home of the Java that was asked for, or of the Java 21 that the launcher found. */
  static Path java(Optional<Path> home) throws DataException {
    if (home.isPresent()) {
      return home.get();
    }
    String found = System.getProperty("vtdiag.jdk21", "");
    if (found.isEmpty()) {
      throw new DataException(
          "no Java 21 to run the sample on; name one with --java HOME, or use the vtdiag launcher");
    }
    return Path.of(found);
  }

  /** Returns the name as one would type it from here. */
  static String shortName(Path file) {
    Path here = Path.of("").toAbsolutePath();
    return (file.startsWith(here) ? here.relativize(file) : file).toString();
  }
}
