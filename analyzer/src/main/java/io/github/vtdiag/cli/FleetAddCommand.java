package io.github.vtdiag.cli;

import io.github.vtdiag.fleet.Added;
import io.github.vtdiag.fleet.Lake;
import io.github.vtdiag.fleet.options.ServiceOptions;
import io.github.vtdiag.model.DataException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vtdiag fleet add}. */
@Command(
    name = "add",
    description =
        "Adds recordings to a lake. Skips those that the lake has, so the same command continues"
            + " where it was stopped. Reports those that cannot be read, and adds the rest.",
    footer = {
      "",
      "Exit codes: 0 all added, 2 wrong usage, 3 bad input: at least one could not be read.",
      "",
      "Example:",
      "  vtdiag fleet add /var/recordings --lake /srv/lake"
    })
final class FleetAddCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private FleetOptions options;
  @Mixin private ServiceOptions service;

  /** The help option. There is none for the version here: {@code --version} is the service's. */
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  @SuppressWarnings("UnusedVariable") // picocli reads it.
  private boolean help;

  @Parameters(
      paramLabel = "DIR",
      arity = "1..*",
      description = "Folders of recordings (.jfr, .jfr.gz), with those below them; or recordings.")
  private List<Path> folders = List.of();

  @Option(
      names = "--lake",
      required = true,
      paramLabel = "LAKE",
      description = "The folder of the lake; it is created if it does not exist.")
  private Path lake;

  @Option(
      names = {"-q", "--quiet"},
      description = "Do not say what was added.")
  private boolean quiet;

  FleetAddCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    Optional<String> refusal = service.refusal();
    if (refusal.isPresent()) {
      throw new ParameterException(spec.commandLine(), refusal.get());
    }
    RecordingSearch search = RecordingSearch.in(folders, lake);
    List<Path> recordings = search.found();
    search.failures().forEach(console::warn);
    if (recordings.isEmpty() && !search.failures().isEmpty()) {
      return Exit.BAD_INPUT;
    }
    if (recordings.isEmpty()) {
      throw new DataException(
          "no recordings (*.jfr, *.jfr.gz) in "
              + String.join(", ", folders.stream().map(Path::toString).toList())
              + "; name files or another folder");
    }
    Lake to = options.lake(lake);
    Added added;
    try (ProgressBar progress = ProgressBar.of(console, size(recordings), quiet)) {
      added =
          to.add(
              recordings,
              service.given(),
              new Lake.Progress() {
                @Override
                public void read(Path file, long bytes) {
                  progress.add(bytes);
                }

                @Override
                public void warn(String reason) {
                  console.warn(reason);
                }
              });
    }
    if (!quiet) {
      console.warn("%s; the lake has %s".formatted(added, to.size()));
    }
    return added.failed() > 0 || !search.failures().isEmpty() ? Exit.BAD_INPUT : Exit.OK;
  }

  private static long size(List<Path> recordings) {
    return recordings.stream().mapToLong(file -> file.toFile().length()).sum();
  }
}
