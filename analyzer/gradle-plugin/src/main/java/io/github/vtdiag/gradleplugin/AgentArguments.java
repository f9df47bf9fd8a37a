package io.github.vtdiag.gradleplugin;

import java.io.File;
import java.util.Collections;
import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.Optional;
import org.gradle.process.CommandLineArgumentProvider;

/**
 * The agent as an argument of a JVM. Paths are no inputs: a build cache serves other folders, too.
 */
public abstract class AgentArguments implements CommandLineArgumentProvider {
  /** Returns the agent's jar. */
  @Classpath
  public abstract ConfigurableFileCollection getAgent();

  /** Returns whether the agent is given. */
  @Input
  public abstract Property<Boolean> getEnabled();

  /** Returns more options of the agent. */
  @Input
  @Optional
  public abstract Property<String> getOptions();

  /** Returns the folder of the recordings; the task has it as an output. */
  @Internal
  public abstract DirectoryProperty getDirectory();

  @Override
  public Iterable<String> asArguments() {
    if (!getEnabled().get()) {
      return Collections.emptyList();
    }
    File folder = getDirectory().get().getAsFile();
    if (folder.getPath().contains(",")) {
      throw new GradleException(
          "vtdiag: the agent takes no comma in a file name: " + folder + "; move the build folder");
    }
    String more = getOptions().getOrElse("").trim();
    return Collections.singletonList(
        "-javaagent:"
            + getAgent().getSingleFile()
            + "=output="
            + new File(folder, "vtdiag-%t-%p.jfr")
            + ",summary=off"
            + (more.isEmpty() ? "" : "," + more));
  }
}
