package io.github.vtdiag.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code vtdiag completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description = "Prints a completion script for bash and zsh.",
    footer = {"", "Example:", "  source <(vtdiag completion)"})
final class CompletionCommand implements Callable<Integer> {
  private final Console console;

  CompletionCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    console.out().print(AutoComplete.bash("vtdiag", Main.commandLine(console)));
    return Exit.OK;
  }
}
