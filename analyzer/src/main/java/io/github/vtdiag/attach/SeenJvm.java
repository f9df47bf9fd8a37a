package io.github.vtdiag.attach;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A JVM of this machine, as seen from outside.
 *
 * @param mainClass what runs in it: a class or a jar; empty if it does not tell
 * @param java its version, such as {@code 21.0.8}; empty if that is not known
 * @param usesVirtualThreads whether it has started some; empty if that cannot be seen
 * @param virtualThreads the number of virtual threads; empty unless it was asked
 * @param agent whether vtdiag's agent is in it; empty if that cannot be seen
 */
public record SeenJvm(
    long pid,
    String mainClass,
    String java,
    Optional<Boolean> usesVirtualThreads,
    OptionalLong virtualThreads,
    Optional<Boolean> agent) {
  /** Returns the same with the number of its virtual threads. */
  public SeenJvm with(long count) {
    return new SeenJvm(
        pid,
        mainClass,
        java,
        Optional.of(count > 0 || usesVirtualThreads.orElse(false)),
        OptionalLong.of(count),
        agent);
  }
}
