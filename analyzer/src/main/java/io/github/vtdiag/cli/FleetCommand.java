package io.github.vtdiag.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code vtdiag fleet}: its commands query the recordings of many JVMs. */
@Command(
    name = "fleet",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    customSynopsis = "vtdiag fleet add|report|gate|sql ...",
    description =
        "Puts the recordings of many services into a lake of Parquet files, and says what costs the"
            + " most over all services, since which version, and which upgrade frees the most.",
    footer = {
      "",
      "Example:",
      "  vtdiag fleet add recordings --lake lake",
      "  vtdiag fleet report lake --by service,version",
      "  vtdiag fleet gate lake --by service",
      "  vtdiag fleet sql lake \"select * from hang\""
    })
final class FleetCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;

  FleetCommand(Console console) {
    this.console = console;
  }

  void addCommands(CommandSpec to) {
    Map<String, Object> commands = new LinkedHashMap<>();
    commands.put("add", new FleetAddCommand(console));
    commands.put("report", new FleetReportCommand(console));
    commands.put("gate", new FleetGateCommand(console));
    commands.put("sql", new FleetSqlCommand(console));
    commands.forEach(
        (name, command) -> to.addSubcommand(name, CommandSpec.forAnnotatedObject(command)));
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "name what to do: fleet add, fleet report, fleet gate or fleet sql");
  }
}
