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

/** {@code vtdiag attach}. */
@Command(
    name = "attach",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description =
        "Puts vtdiag's agent into a JVM that runs, until it ends or vtdiag detach ends it. The JVM"
            + " prints a warning about agents on its standard error, unless it was started with"
            + " -XX:+EnableDynamicAgentLoading.",
    footer = {
      "",
      "Example:",
      "  vtdiag attach 12345",
      "  vtdiag attach 12345 output=app.jfr,threshold=5ms"
    })
final class AttachCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "PID",
      index = "0",
      description = "The process id; vtdiag ps lists them.")
  String pid = "";

  @Parameters(
      paramLabel = "OPTIONS",
      arity = "0..1",
      index = "1",
      description =
          "The agent's options: key=value, separated by commas; vtdiag run --agent help -- -version"
              + " lists them. Relative paths are the JVM's.")
  String options = "";

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

  AttachCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws DataException {
    long process = ProcessId.parse(pid);
    Duration patience = Duration.ofNanos(timeout);
    try (RunningJvm jvm = RunningJvm.attach(process, patience)) {
      AgentInside agent = new AgentInside(process, jvm, patience);
      String file = agent.attach(AgentJar.inCache(), options);
      console
          .out()
          .print(
              "vtdiag's agent is in process "
                  + Printable.text(pid)
                  + " and records to "
                  + Printable.text(file)
                  + "\n"
                  + (quiet ? "" : "  Next: vtdiag detach " + pid + "\n"));
    }
    return Exit.OK;
  }
}
