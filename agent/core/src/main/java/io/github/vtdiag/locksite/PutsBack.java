package io.github.vtdiag.locksite;

/** True if code that takes an object from a queue puts the same object back into it later. */
public enum PutsBack {
  NEVER,
  /** On some ways, as a worker does with a task that is to be tried again. */
  SOMETIMES,
  /** On each way but those on which an exception is thrown: the queue is a pool. */
  ALWAYS;

  static PutsBack max(PutsBack one, PutsBack other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
