package io.github.vtdiag.hang;

/**
 * A lock that a thread holds.
 *
 * @param lock the object; for a class that is being initialized, {@link LockRef#className} is that
 *     class
 * @param depth the index of the frame that holds it, 0 for the innermost; -1 if it is unknown
 */
public record HeldLock(Kind kind, LockRef lock, int depth) {

  /** The kinds of lock that a thread can hold. */
  public enum Kind {
    /** The monitor of a {@code synchronized}. */
    MONITOR,
    /** A class while its initializer runs; other threads that need the class wait. */
    CLASS_INITIALIZATION
  }
}
