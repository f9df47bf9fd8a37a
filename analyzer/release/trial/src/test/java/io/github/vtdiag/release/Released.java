package io.github.vtdiag.release;

import io.github.vtdiag.testing.Jdks;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The repository of files that {@code .ci/release} made; nothing else of vtdiag is known to these
 * tests.
 */
final class Released {
  static final String VERSION = System.getProperty("vtdiag.version");
  static final Path REPOSITORY = Jdks.projectFolder().resolve("target/repository");

  private Released() {}

  /** A file of an artifact, such as {@code vtdiag-agent} with {@code .jar}. */
  static Path file(String artifact, String rest) {
    Path file =
        REPOSITORY
            .resolve("io/github/vtdiag")
            .resolve(artifact)
            .resolve(VERSION)
            .resolve(artifact + "-" + VERSION + rest);
    if (!Files.isRegularFile(file)) {
      throw new IllegalStateException(file + " is missing; run .ci/release first");
    }
    return file;
  }
}
