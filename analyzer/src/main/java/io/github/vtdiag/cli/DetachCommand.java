package io.github.vtdiag.cli;

import io.github.vtdiag.attach.AgentInside;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Printable;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code vtdiag detach}. */
@Command(
    name = "detach",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description = "Ends the recording of vtdiag's agent in a running JVM, and removes the agent.",
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
        NextCommand.of("analyze", List.of(Printable.text(file))).text());
  }
}
