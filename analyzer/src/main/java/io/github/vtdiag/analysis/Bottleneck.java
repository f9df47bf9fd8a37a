package io.github.vtdiag.analysis;

/** What kept a program from going faster; each answer has a section in {@code docs/verdicts.md}. */
public enum Bottleneck {
  /** The program hung. */
  HUNG,
  /** Waiting threads could not leave their carriers. */
  PINNED(true),
  /** Threads that computed kept their carriers. */
  COMPUTATION(true),
  /** Threads that read and wrote files kept their carriers. */
  FILE_IO(true),
  /** Threads in native code kept their carriers. */
  NATIVE_CODE(true),
  /** Carriers waited themselves, with no virtual thread on them. */
  CARRIERS_BLOCKED(true),
  /** Threads waited for one of the objects of a pool. */
  POOL,
  /** Threads waited for a permit. */
  SEMAPHORE,
  /** Threads waited for a lock or to enter a monitor, without keeping their carriers. */
  LOCK,
  /** Threads waited for room in a queue. */
  FULL_QUEUE,
  /** Threads waited for another thread's word or result. */
  OTHER_THREADS,
  /** Threads waited for answers from the network. */
  REMOTE_ANSWERS,
  /** A pool of virtual threads was the limit. */
  POOLED_THREADS,
  /** Each thread made what was meant to be shared. */
  THREAD_LOCAL_CACHE,
  /** More threads were started than ended. */
  NO_BACKPRESSURE,
  /** The scheduler did not take threads, which then never began or never went on. */
  SUBMIT_FAILED,
  /** Carriers were not the limit, though pins took some of their time. */
  SOME_PINS,
  /** Carriers were not the limit, and nothing else was found. */
  NOTHING_TO_CHANGE,
  /** The recordings do not tell. */
  NOT_KNOWN;

  private final boolean keepsCarriers;

  Bottleneck() {
    this(false);
  }

  Bottleneck(boolean keepsCarriers) {
    this.keepsCarriers = keepsCarriers;
  }

  /** Whether it is something that keeps carriers. */
  public boolean keepsCarriers() {
    return keepsCarriers;
  }
}
