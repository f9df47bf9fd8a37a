package io.github.vtdiag.cli;

import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The built command line, run as its users do. */
final class CliJar {
  /** The integration tests run from the module's folder. */
  static final Path PATH = Path.of("target", "vtdiag-cli.jar").toAbsolutePath();

  private CliJar() {}

  static Forked run(Path folder, String... arguments) throws IOException, InterruptedException {
    return run(Jdk.JAVA_25, folder, arguments);
  }

  static Forked run(Jdk jdk, Path folder, String... arguments)
      throws IOException, InterruptedException {
    return Forked.run(
        folder,
        Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()),
        CommandLine.command(jdk, List.of(arguments)));
  }
}
