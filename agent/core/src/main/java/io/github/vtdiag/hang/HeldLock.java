package io.github.vtdiag.hang;

/**
 * A lock that a thread holds.
 *
 * @param lock the object; of a class that is being initialized, {@link LockRef#className} is that
 *     class
 * @param depth the index of the frame that holds it, 0 for the innermost; -1 if that is not known
 */
public record HeldLock(Kind kind, LockRef lock, int depth) {

  /** The sorts of lock that a thread can hold. */
  public enum Kind {
    /** The monitor of a {@code synchronized}. */
    MONITOR,
    /** A class while its initializer runs: who needs the class waits. */
    CLASS_INITIALIZATION
  }
}
