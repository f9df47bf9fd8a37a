package io.github.vtdiag.advice;

/** The way in which the threads that a site pinned share locks. */
public enum Sharing {
  /** Most of the sampled threads locked the same object. */
  ONE_OBJECT,
  /** The sampled threads locked objects of their own, but for a few. */
  OWN_OBJECTS,
  /**
   * Several threads locked the same objects one after the other, and hardly any waited to enter.
   */
  POOL,
  /** Some objects were locked by several of the sampled threads. */
  SOME_SHARED,
  /** Not sampled, but threads were seen to wait for the monitor: it is shared. */
  CONTENDED,
  /** The threads wait for a free object of a known pool, whatever lock they hold. */
  BORROWED,
  /** Not sampled. */
  NOT_SAMPLED,
  /** No lock is involved. */
  NO_LOCK
}
