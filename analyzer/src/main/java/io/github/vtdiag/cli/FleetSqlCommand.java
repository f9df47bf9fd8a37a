package io.github.vtdiag.cli;

import io.github.vtdiag.fleet.FleetAnswers;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.report.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code vtdiag fleet sql}. */
@Command(
    name = "sql",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Answers a query of your own, in DuckDB's SQL. The tables are recording, finding, account,"
            + " hang, stall, gap, stack and frame; docs/fleet.md has their columns. A query reads"
            + " the lake and nothing else.",
    footer = {
      "",
      "Example:",
      "  vtdiag fleet sql lake \"select * from hang\"",
      "  vtdiag fleet sql lake \"describe finding\" --json"
    })
final class FleetSqlCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private FleetOptions options;
  @Mixin private OutputOptions output;

  @Parameters(
      index = "0",
      paramLabel = "LAKE",
      description = "The lake that vtdiag fleet add wrote.")
  private Path lake;

  @Parameters(index = "1", paramLabel = "QUERY", description = "One query.")
  private String query;

  FleetSqlCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    output.check(List.of());
    FleetAnswers.Answer answer = options.lake(lake).ask(engine -> FleetAnswers.of(engine, query));
    output.write(console, new Report.Queried(answer));
    return Exit.OK;
  }
}
