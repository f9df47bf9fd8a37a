package io.github.vtdiag.model;

import java.util.List;
import java.util.Optional;

/**
 * The lock map of one class: where each of its methods holds monitors.
 *
 * @param type the class
 * @param location where it was loaded from (a jar, a directory, {@code jrt:/java.base}); empty if
 *     not known
 * @param evidence where the bytes came from
 * @param methods every method with code
 * @param jar what that was, if it is a jar and the recording tells
 * @param changedBy of a class that ran with other bytes than its loader gives, who changed them, as
 *     a phrase; empty if nobody did or that is not known
 */
public record ClassMonitors(
    ClassRef type,
    String location,
    JarContent jar,
    Evidence evidence,
    List<MethodMonitors> methods,
    String changedBy) {

  /** Where the bytes of a lock map came from. */
  public enum Evidence {
    /**
     * The loaded class, read in the running JVM: the bytes its own loader gives as long as every
     * frame the agent saw fits them, else the bytes the JVM runs.
     */
    LOADED_CLASS,
    /** A jar or directory named by the user, or the JDK's image. */
    CLASS_PATH
  }

  public ClassMonitors {
    methods = List.copyOf(methods);
  }

  /** A class that nobody is known to have changed. */
  public ClassMonitors(
      ClassRef type, String location, Evidence evidence, List<MethodMonitors> methods) {
    this(type, location, JarContent.UNKNOWN, evidence, methods, "");
  }

  /** The same, changed by somebody. */
  public ClassMonitors changedBy(String who) {
    return new ClassMonitors(type, location, jar, evidence, methods, who);
  }

  /** The same, loaded from this jar. */
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
