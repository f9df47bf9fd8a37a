package vtdiag.cli;

import picocli.CommandLine.Command;
import vtdiag.attach.AgentInside;
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
final class DetachCommand extends AgentCommand {
  DetachCommand(Console console) {
    super(console);
  }

  @Override
  Done call(AgentInside agent) throws DataException {
    String file = agent.detach();
    return new Done(
        "vtdiag's agent has left process "
            + Printable.text(pid)
            + "; recording: "
            + Printable.text(file),
        "vtdiag analyze " + Printable.text(file));
  }
}
