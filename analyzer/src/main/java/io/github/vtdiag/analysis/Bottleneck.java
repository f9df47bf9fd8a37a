package io.github.vtdiag.analysis;

/** The reason why a program did not go faster; each has a section in {@code docs/verdicts.md}. */
public enum Bottleneck {
  /** The program hung. */
  HUNG,
  /** Waiting threads could not unmount. */
  PINNED(true),
  /** Computing threads monopolized the carriers. */
  COMPUTATION(true),
  /** Threads monopolized the carriers while they read and wrote files. */
  FILE_IO(true),
  /** Threads in native code monopolized the carriers. */
  NATIVE_CODE(true),
  /** Carriers were blocked themselves, with no virtual thread mounted. */
  CARRIERS_BLOCKED(true),
  /** Threads waited for an object from a pool. */
  POOL,
  /** Threads waited for a permit. */
  SEMAPHORE,
  /** Threads waited for a lock or to enter a monitor, and had unmounted. */
  LOCK,
  /** Threads waited for room in a full queue of the program. */
  FULL_QUEUE,
  /** Threads waited for a signal or a result from another thread. */
  OTHER_THREADS,
  /** Threads waited for answers from the network. */
  REMOTE_ANSWERS,
  /** A pool of virtual threads limited the program. */
  POOLED_THREADS,
  /** Each thread made its own copy of something that was meant to be shared. */
  THREAD_LOCAL_CACHE,
  /** Threads were started faster than they ended. */
  NO_BACKPRESSURE,
  /** The scheduler did not accept threads, which then never began or never continued. */
  SUBMIT_FAILED,
  /** The carriers were not the bottleneck, though pins took some of their time. */
  SOME_PINS,
  /** The carriers were not the bottleneck, and nothing else was found. */
  NOTHING_TO_CHANGE,
  /** The recordings do not show it. */
  NOT_KNOWN;

  private final boolean keepsCarriers;

  Bottleneck() {
    this(false);
  }

  Bottleneck(boolean keepsCarriers) {
    this.keepsCarriers = keepsCarriers;
  }

  /** Returns whether the bottleneck is something that occupies carriers. */
  public boolean keepsCarriers() {
    return keepsCarriers;
  }
}
