package vtdiag.agent;

import java.nio.file.Path;
import vtdiag.testing.Jdks;

/** The built agent. */
final class AgentJar {
  static final Path PATH = Jdks.projectFolder().resolve("agent/target/vtdiag.jar");

  /** What test programs are run from. */
  static final Path PROGRAMS = Jdks.projectFolder().resolve("agent/target/test-classes");

  private AgentJar() {}

  static String option(String options) {
    return "-javaagent:" + PATH + (options.isEmpty() ? "" : "=" + options);
  }
}
