package io.github.vtdiag.cli;

import io.github.vtdiag.fleet.FleetAnswers;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.report.Report;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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

  @Mixin private FleetScope scope;
  @Mixin private OutputOptions output;

  FleetReportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    scope.check();
    output.check(List.of());
    FleetAnswers answers =
        scope
            .lake()
            .ask(engine -> FleetAnswers.of(engine, scope.lakeName(), scope.by(), scope.since()));
    output.write(console, new Report.Fleet(answers));
    return Exit.OK;
  }
}
