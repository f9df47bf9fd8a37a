package io.github.vtdiag.cli;

import io.github.vtdiag.compare.JavaCommand;
import io.github.vtdiag.model.DataException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code vtdiag run}. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description = "Runs an application with the agent, and exits with its exit code.",
    footer = {
      "",
      "Example:",
      "  vtdiag run -- -jar app.jar",
      "  vtdiag run --agent output=app.jfr,threshold=5ms -- -cp app.jar com.example.Main"
    })
final class RunCommand implements Callable<Integer> {
  @Option(
      names = "--agent",
      paramLabel = "OPTIONS",
      description = "The agent's options: key=value, separated by commas; help lists them.")
  private String agent = "";

  @Option(
      names = {"--jdk", "--java"},
      paramLabel = "HOME",
      description = "The Java home (default: JAVA_HOME, else the java on the PATH).")
  private Path java;

  @Parameters(
      paramLabel = "ARGUMENT",
      arity = "1..*",
      description = "What you would write after java.")
  private List<String> arguments = List.of();

  RunCommand(Console console) {}

  @Override
  public Integer call() throws DataException {
    List<String> command = new ArrayList<>();
    command.add(JavaCommand.launcher(Optional.ofNullable(java)));
    command.add("-javaagent:" + AgentJar.inCache() + (agent.isEmpty() ? "" : "=" + agent));
    command.addAll(arguments);
    return JavaProcess.run(command);
  }
}
