package io.github.vtdiag.cli;

import io.github.vtdiag.model.DataException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code vtdiag agent-jar}. */
@Command(
    name = "agent-jar",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description = "Prints the path of the agent, for -javaagent.",
    footer = {"", "Example:", "  java -javaagent:$(vtdiag agent-jar) -jar app.jar"})
final class AgentJarCommand implements Callable<Integer> {
  private final Console console;

  AgentJarCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    console.out().println(AgentJar.inCache());
    return Exit.OK;
  }
}
