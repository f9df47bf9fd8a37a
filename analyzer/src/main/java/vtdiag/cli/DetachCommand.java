package vtdiag.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import vtdiag.attach.AgentInside;
import vtdiag.attach.RunningJvm;
import vtdiag.model.DataException;
import vtdiag.model.Printable;

/** {@code vtdiag detach}. */
@Command(
    name = "detach",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description =
        "Ends the recording of vtdiag's agent in a JVM that goes on, and has the agent leave.",
    footer = {"", "Example:", "  vtdiag detach 12345"})
final class DetachCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "PID",
      index = "0",
      description = "The process id; vtdiag ps lists them.")
  String pid = "";

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = GateCommand.Nanos.class,
      defaultValue = "30s",
      description = "How long the JVM may take (default: 30s).")
  long timeout;

  @Option(
      names = {"-q", "--quiet"},
      description = "Only the result: no hints.")
  boolean quiet;

  DetachCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    long process = ProcessId.parse(pid);
    Duration patience = Duration.ofNanos(timeout);
    try (RunningJvm jvm = RunningJvm.attach(process, patience)) {
      AgentInside agent = new AgentInside(process, jvm, patience);
      String file = agent.detach();
      console
          .out()
          .print(
              "vtdiag's agent has left process "
                  + Printable.text(pid)
                  + "; recording: "
                  + Printable.text(file)
                  + "\n"
                  + (quiet ? "" : "  Next: vtdiag analyze " + Printable.text(file) + "\n"));
    }
    return Exit.OK;
  }
}
