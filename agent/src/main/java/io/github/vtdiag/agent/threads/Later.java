package io.github.vtdiag.agent.threads;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * A value that is made when it is first needed. What reads fields of the JDK is made like that:
 * when the agent starts, the JDK's packages may not be open yet.
 */
public final class Later<T> {
  private final Supplier<T> make;
  private Optional<T> made = Optional.empty();

  public Later(Supplier<T> make) {
    this.make = make;
  }

  public T get() {
    made = made.or(() -> Optional.of(make.get()));
    return made.orElseThrow();
  }
}
