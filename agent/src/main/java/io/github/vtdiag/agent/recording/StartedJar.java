package io.github.vtdiag.agent.recording;

import io.github.vtdiag.locksite.JarContents;
import java.io.IOException;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * The name and version of the program in the jar with which the JVM was started; empty if they are
 * unknown.
 */
record StartedJar(String name, String version) {
  static final StartedJar UNKNOWN = new StartedJar("", "");

  /** The main classes of the jars that Quarkus builds; it writes the application's name there. */
  private static final String QUARKUS = "io.quarkus.";

  /** Reads the jar, which has its Maven coordinates, or those of what is packed into it. */
  static StartedJar of(String jar) {
    if (jar.isEmpty()) {
      return UNKNOWN;
    }
    StartedJar quarkus = ofQuarkus(jar);
    return quarkus.name.isEmpty() ? ofCoordinates(JarContents.of(jar).coordinates()) : quarkus;
  }

  static StartedJar ofCoordinates(String coordinates) {
    String[] parts = coordinates.split(":", -1);
    return parts.length == 3 ? new StartedJar(parts[1], parts[2]) : UNKNOWN;
  }

  private static StartedJar ofQuarkus(String path) {
    try (JarFile jar = new JarFile(path, false)) {
      Manifest manifest = jar.getManifest();
      Attributes main = manifest == null ? new Attributes() : manifest.getMainAttributes();
      return value(main, Attributes.Name.MAIN_CLASS).startsWith(QUARKUS)
          ? new StartedJar(
              value(main, Attributes.Name.IMPLEMENTATION_TITLE),
              value(main, Attributes.Name.IMPLEMENTATION_VERSION))
          : UNKNOWN;
    } catch (IOException | RuntimeException e) {
      return UNKNOWN; // Removed since, or nothing that the JDK can read.
    }
  }

  private static String value(Attributes main, Attributes.Name name) {
    return Objects.requireNonNullElse(main.getValue(name), "").strip();
  }
}
