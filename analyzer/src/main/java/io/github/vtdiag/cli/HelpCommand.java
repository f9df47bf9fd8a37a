package io.github.vtdiag.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vtdiag help}. */
@Command(
    name = "help",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description = "Prints the help of vtdiag, or of one of its commands with all options.",
    footer = {"", "Example:", "  vtdiag help gate"})
final class HelpCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "COMMAND", arity = "0..1", description = "The command to explain.")
  private String command;

  HelpCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (command == null) {
      return Main.run(console, "--help");
    }
    if (!Main.knows(command)) {
      throw new ParameterException(spec.commandLine(), "unknown command " + command);
    }
    return Main.run(console, command, "--help", "all");
  }
}
