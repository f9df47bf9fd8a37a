package io.github.vtdiag.gradleplugin;

import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.Property;

/** The block <code>vtdiag { ... }</code> of a task that starts a JVM. */
public interface RecordedTask {
  /** Returns whether the agent records this task. */
  Property<Boolean> getEnabled();

  /** Returns more options of the agent. */
  Property<String> getAgentOptions();

  /** Returns the folder of the recordings. */
  DirectoryProperty getDirectory();
}
