package io.github.vtdiag.hang;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** The jars of the agents that a JVM was started with. */
public final class AgentJars {
  private static final String OPTION = "-javaagent:";

  private final List<Path> jars;

  private AgentJars(List<Path> jars) {
    this.jars = jars;
  }

  /**
   * Returns the jars that are named on a JVM's command line.
   *
   * @param arguments the JVM's own, not the program's
   */
  public static AgentJars of(List<String> arguments) {
    List<Path> jars = new ArrayList<>();
    for (String argument : arguments) {
      if (argument.startsWith(OPTION)) {
        jars.add(Path.of(argument.substring(OPTION.length()).split("=", 2)[0]));
      }
    }
    return new AgentJars(jars);
  }

  /**
   * Finds the name of the jar that has a class. The jar may name another one, for the boot class
   * path, that has it.
   */
  public Optional<String> find(String className) {
    String entry = className.replace('.', '/') + ".class";
    return jars.stream()
        .filter(jar -> has(jar, entry))
        .map(jar -> jar.getFileName().toString())
        .findFirst();
  }

  private static boolean has(Path jar, String entry) {
    try (JarFile file = new JarFile(jar.toFile())) {
      if (file.getEntry(entry) != null) {
        return true;
      }
      Manifest manifest = file.getManifest();
      String boot =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(new Attributes.Name("Boot-Class-Path"));
      for (String name : boot == null ? new String[0] : boot.split(" +")) {
        try (JarFile other = new JarFile(jar.resolveSibling(name).toFile())) {
          if (other.getEntry(entry) != null) {
            return true;
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      // The jar existed when the JVM started, but can no longer be read.
    }
    return false;
  }
}
