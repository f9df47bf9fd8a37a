package io.github.vtdiag.model;

import java.util.List;
import java.util.Optional;

/**
 * The lock map of one class: where each of its methods holds monitors.
 *
 * @param type the class
 * @param location where it was loaded from (a jar, a directory, {@code jrt:/java.base}); empty if
 *     it is unknown
 * @param evidence the source of the bytes
 * @param methods every method with code
 * @param jar the content of the location, if it is a jar and the recording has it
 * @param changedBy a phrase for what changed the class, if it ran with other bytes than its loader
 *     gives; empty if nothing did or it is unknown
 */
public record ClassMonitors(
    ClassRef type,
    String location,
    JarContent jar,
    Evidence evidence,
    List<MethodMonitors> methods,
    String changedBy) {

  /** The sources of the bytes of a lock map. */
  public enum Evidence {
    /**
     * The loaded class, read in the running JVM. The bytes are those that its own loader gives, as
     * long as every frame that the agent saw fits them; otherwise those that the JVM runs.
     */
    LOADED_CLASS,
    /** A jar or directory named by the user, or the JDK's image. */
    CLASS_PATH
  }

  public ClassMonitors {
    methods = List.copyOf(methods);
  }

  /** Creates the lock map of a class that is not known to be changed. */
  public ClassMonitors(
      ClassRef type, String location, Evidence evidence, List<MethodMonitors> methods) {
    this(type, location, JarContent.UNKNOWN, evidence, methods, "");
  }

  /** Returns the same lock map, changed by somebody. */
  public ClassMonitors changedBy(String who) {
    return new ClassMonitors(type, location, jar, evidence, methods, who);
  }

  /** Returns the same lock map, loaded from this jar. */
  public ClassMonitors from(JarContent content) {
    return new ClassMonitors(type, location, content, evidence, methods, changedBy);
  }

  public Optional<MethodMonitors> method(String name, String descriptor) {
    for (MethodMonitors method : methods) {
      if (method.name().equals(name) && method.descriptor().equals(descriptor)) {
        return Optional.of(method);
      }
    }
    return Optional.empty();
  }
}
