package io.github.vtdiag.cli;

import io.github.vtdiag.fleet.FleetAnswers;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.report.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vtdiag fleet report}. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Says what costs the most carrier time over all services and since which version, which"
            + " upgrades free the most, which JDK builds can lose threads, and which hangs several"
            + " JVMs had.",
    footer = {
      "",
      "Example:",
      "  vtdiag fleet report lake --by service,version --since 2.0",
      "  vtdiag fleet report lake --format html -o fleet.html"
    })
final class FleetReportCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private FleetOptions options;
  @Mixin private OutputOptions output;

  @Parameters(paramLabel = "LAKE", description = "What vtdiag fleet add made.")
  private Path lake;

  @Option(
      names = "--by",
      split = ",",
      paramLabel = "KEY",
      description =
          "What to group by (default: service): service, version, jdk, jdk_version, vendor,"
              + " instance, pod, namespace, environment, date; several with commas.")
  private List<String> by = List.of("service");

  @Option(
      names = "--since",
      paramLabel = "VERSION",
      description = "Only versions of the services from this one on, in Maven's order.")
  private String since = "";

  FleetReportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    FleetOptions.check(spec, by);
    output.check(List.of());
    FleetAnswers answers = FleetAnswers.of(options.lake(lake), lake.toString(), by, since);
    output.write(console, new Report.Fleet(answers));
    return Exit.OK;
  }
}
