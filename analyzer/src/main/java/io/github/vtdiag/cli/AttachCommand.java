package io.github.vtdiag.cli;

import io.github.vtdiag.attach.AgentInside;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code vtdiag attach}. */
@Command(
    name = "attach",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Loads vtdiag's agent into a running JVM, until the JVM ends or vtdiag detach removes it."
            + " The JVM prints a warning about agents on its standard error, unless it was started"
            + " with -XX:+EnableDynamicAgentLoading.",
    footer = {
      "",
      "Example:",
      "  vtdiag attach 12345",
      "  vtdiag attach 12345 output=app.jfr,threshold=5ms"
    })
final class AttachCommand extends AgentCommand {
  @Parameters(
      paramLabel = "OPTIONS",
      arity = "0..1",
      index = "1",
      description =
          "The agent's options: key=value, separated by commas; vtdiag run --agent help -- -version"
              + " lists them. Relative paths are the JVM's.")
  String options = "";

  AttachCommand(Console console) {
    super(console);
  }

  @Override
  Done call(AgentInside agent) throws DataException {
    String file = agent.attach(AgentJar.inCache(), options);
    return new Done(
        "vtdiag's agent is in process "
            + Printable.text(pid)
            + " and records to "
            + Printable.text(file),
        "vtdiag detach " + pid);
  }
}
