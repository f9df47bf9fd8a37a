package io.github.vtdiag.cli;

import io.github.vtdiag.fleet.FleetAnswers;
import io.github.vtdiag.fleet.Lake;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What the commands have in common that ask a lake. */
final class FleetOptions {
  @Option(
      names = "--offline",
      description =
          "Fetch nothing: DuckDB, which reads and writes the lake, has to be in the cache or the"
              + " local Maven repository. Otherwise it is fetched once (80 MB).")
  private boolean offline;

  Lake lake(Path folder) {
    return new Lake(folder, AgentJar.cache(), offline);
  }

  /** Refuses what recordings cannot be grouped by. */
  static void check(CommandSpec spec, List<String> by) {
    for (String key : by) {
      if (!FleetAnswers.DIMENSIONS.contains(key)) {
        throw new ParameterException(
            spec.commandLine(),
            "recordings cannot be grouped by '%s'; use %s"
                .formatted(key, String.join(", ", FleetAnswers.DIMENSIONS)));
      }
    }
  }
}
