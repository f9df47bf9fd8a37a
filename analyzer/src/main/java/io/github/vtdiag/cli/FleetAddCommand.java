package io.github.vtdiag.cli;

import io.github.vtdiag.fleet.Added;
import io.github.vtdiag.fleet.Lake;
import io.github.vtdiag.fleet.Rows;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.ServiceInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
        "Adds recordings to a lake. One that is in it already changes nothing, so the same command"
            + " goes on where it was stopped. One that cannot be read is noted, and the rest is"
            + " added.",
    footer = {
      "",
      "Exit codes: 0 all added, 2 wrong usage, 3 bad input: some could not be read, or all.",
      "",
      "Example:",
      "  vtdiag fleet add /var/recordings --lake /srv/lake"
    })
final class FleetAddCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private FleetOptions options;

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
      description = "The folder of the lake, which is made if it is not there.")
  private Path lake;

  @Option(
      names = "--service",
      paramLabel = "NAME",
      description = "The service of all of them, instead of what each recording says.")
  private String service = "";

  @Option(
      names = "--version",
      paramLabel = "VERSION",
      description = "The version of the service, instead of what each recording says.")
  private String version = "";

  @Option(
      names = "--environment",
      paramLabel = "NAME",
      description = "Where they ran, such as production, instead of what each recording says.")
  private String environment = "";

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = "The namespace, instead of what each recording says.")
  private String namespace = "";

  @Option(
      names = {"-q", "--quiet"},
      description = "Say nothing of what was added.")
  private boolean quiet;

  FleetAddCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    Map<String, String> given =
        Map.of(
            "service", service,
            "version", version,
            "environment", environment,
            "namespace", namespace);
    given.forEach(
        (name, value) -> {
          if (value.length() > ServiceInfo.LONGEST) {
            throw new ParameterException(
                spec.commandLine(),
                "the %s has %s; %d are the most"
                    .formatted(
                        name, Figures.count(value.length(), "character"), ServiceInfo.LONGEST));
          }
        });
    List<Path> recordings = recordings();
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
              ServiceInfo.of(name -> given.getOrDefault(name, "")),
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
    return added.failed() > 0 ? Exit.BAD_INPUT : Exit.OK;
  }

  private List<Path> recordings() throws DataException {
    List<Path> found = new ArrayList<>();
    for (Path folder : folders) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files
              .filter(FleetAddCommand::isRecording)
              .filter(file -> !file.toAbsolutePath().startsWith(lake.toAbsolutePath()))
              .sorted()
              .forEach(found::add);
        } catch (IOException | UncheckedIOException e) {
          throw new DataException(folder + ": cannot be listed: " + e.getMessage(), e);
        }
      } else if (Files.isRegularFile(folder)) {
        found.add(folder);
      } else if (Files.exists(folder)) {
        // A pipe cannot be read twice, and adding reads for the key first.
        throw new DataException(folder + ": is no regular file; name a file");
      } else {
        throw new DataException(folder + ": no such file or folder");
      }
    }
    return found;
  }

  private static boolean isRecording(Path file) {
    return Rows.areIn(file.getFileName().toString()) && Files.isRegularFile(file);
  }

  private static long size(List<Path> recordings) {
    return recordings.stream().mapToLong(file -> file.toFile().length()).sum();
  }
}
