package io.github.vtdiag.locksite;

import java.util.Comparator;
import java.util.stream.Stream;

/** True if code that takes an object from a queue puts the same object back into it later. */
public enum PutsBack {
  NEVER,
  /** On some ways, as a worker does with a task that is to be tried again. */
  SOMETIMES,
  /** On each way but those on which an exception is thrown: the queue is a pool. */
  ALWAYS;

  /** Returns the most of what several places of the code do; {@link #NEVER} if there are none. */
  public static PutsBack most(Stream<PutsBack> all) {
    return all.max(Comparator.naturalOrder()).orElse(NEVER);
  }
}
