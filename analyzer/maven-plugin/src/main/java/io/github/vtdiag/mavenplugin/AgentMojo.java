package io.github.vtdiag.mavenplugin;

import java.io.File;
import java.util.Properties;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/**
 * Records the tests: puts vtdiag's agent before the property <code>argLine</code>, with which
 * Surefire and Failsafe start their JVMs. Each JVM writes a recording of its own.
 */
@Mojo(name = "prepare-agent", defaultPhase = LifecyclePhase.INITIALIZE, threadSafe = true)
public final class AgentMojo extends AbstractMojo {
  private static final String CLEANED = "vtdiag.cleaned";

  @Parameter(defaultValue = "${project}", readonly = true, required = true)
  private MavenProject project;

  /** The folder of the recordings. */
  @Parameter(
      property = "vtdiag.directory",
      defaultValue = "${project.build.directory}/vtdiag",
      required = true)
  private File directory;

  /** The property that gets the agent. */
  @Parameter(property = "vtdiag.propertyName", defaultValue = "argLine", required = true)
  private String propertyName;

  /** More options of the agent, such as <code>threshold=0,samples=100</code>. */
  @Parameter(property = "vtdiag.agentOptions")
  private String agentOptions;

  /** Skips this goal. */
  @Parameter(property = "vtdiag.skip", defaultValue = "false")
  private boolean skip;

  @Override
  public void execute() throws MojoExecutionException {
    Properties properties = project.getProperties();
    String before = properties.getProperty(propertyName);
    if (skip) {
      getLog().info("vtdiag: skipped (vtdiag.skip)");
      // So that @{argLine} is defined.
      properties.setProperty(propertyName, before == null ? "" : before);
      return;
    }
    if (directory.getPath().contains(",")) {
      throw new MojoExecutionException(
          "the agent takes no comma in a file name: "
              + directory
              + "; set vtdiag.directory to another folder");
    }
    removeOldRecordings();
    String option =
        "-javaagent:"
            + CarriedJars.agent(directory).getAbsolutePath()
            + "=output="
            + new File(directory, "vtdiag-%t-%p.jfr").getAbsolutePath()
            + ",summary=off"
            + (agentOptions == null || agentOptions.trim().isEmpty()
                ? ""
                : "," + agentOptions.trim());
    String value = quoted(option) + (before == null || before.trim().isEmpty() ? "" : " " + before);
    properties.setProperty(propertyName, value);
    getLog().info("vtdiag: " + propertyName + " set to " + value);
  }

  /**
   * Removes old recordings, once a build: unit tests and integration tests are recorded one after
   * the other.
   */
  private void removeOldRecordings() {
    if (project.getContextValue(CLEANED) != null) {
      return;
    }
    project.setContextValue(CLEANED, directory);
    for (File file : ForkRecordings.in(directory)) {
      if (!file.delete()) {
        getLog().warn("vtdiag: " + file + " is of an earlier build, and cannot be deleted");
      }
    }
  }

  private static String quoted(String option) {
    return option.matches("\\S+") ? option : "\"" + option + "\"";
  }
}
