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
 */
public record ClassMonitors(
    ClassRef type, String location, Evidence evidence, List<MethodMonitors> methods) {

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

  public Optional<MethodMonitors> method(String name, String descriptor) {
    for (MethodMonitors method : methods) {
      if (method.name().equals(name) && method.descriptor().equals(descriptor)) {
        return Optional.of(method);
      }
    }
    return Optional.empty();
  }
}
