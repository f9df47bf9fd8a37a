package vtdiag.agent;

import java.nio.file.Path;
import vtdiag.testing.Jdks;

/** The built agent. */
public final class AgentJar {
  public static final Path PATH = Jdks.projectFolder().resolve("agent/target/vtdiag.jar");

  /** What test programs are run from. */
  public static final Path PROGRAMS = Jdks.projectFolder().resolve("agent/target/test-classes");

  private AgentJar() {}

  public static String option(String options) {
    return "-javaagent:" + PATH + (options.isEmpty() ? "" : "=" + options);
  }
}
