package io.github.vtdiag.experiment;

import java.util.List;

/**
 * A program of the samples.
 *
 * @param jvmOptions the options before the main class
 * @param arguments each {@code key=value}
 * @param libraries the folders, below that of the samples' jar, whose jars it needs too
 */
public record SampleProgram(
    String mainClass, List<String> jvmOptions, List<String> arguments, List<String> libraries) {
  public SampleProgram {
    jvmOptions = List.copyOf(jvmOptions);
    arguments = List.copyOf(arguments);
    libraries = List.copyOf(libraries);
  }

  /** Creates a program that needs no more than the samples' jar. */
  public SampleProgram(String mainClass, List<String> arguments) {
    this(mainClass, List.of(), arguments, List.of());
  }

  @Override
  public String toString() {
    return (mainClass + " " + String.join(" ", arguments)).strip();
  }
}
