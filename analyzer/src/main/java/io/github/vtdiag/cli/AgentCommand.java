package io.github.vtdiag.cli;

import io.github.vtdiag.attach.AgentInside;
import io.github.vtdiag.attach.RunningJvm;
import io.github.vtdiag.model.DataException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command for the agent in a running JVM. */
abstract class AgentCommand implements Callable<Integer> {
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

  AgentCommand(Console console) {
    this.console = console;
  }

  /** The result, and what to do next. */
  record Done(String result, String next) {}

  abstract Done call(AgentInside agent) throws DataException;

  @Override
  public Integer call() throws DataException {
    long process = ProcessId.parse(pid);
    Duration patience = Duration.ofNanos(timeout);
    try (RunningJvm jvm = RunningJvm.attach(process, patience)) {
      Done done = call(new AgentInside(process, jvm, patience));
      console.out().print(done.result + "\n" + (quiet ? "" : "  Next: " + done.next + "\n"));
    }
    return Exit.OK;
  }
}
