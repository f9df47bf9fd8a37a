package io.github.vtdiag.cli;

import io.github.vtdiag.fleet.Lake;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options for reading and writing a lake. */
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
}
