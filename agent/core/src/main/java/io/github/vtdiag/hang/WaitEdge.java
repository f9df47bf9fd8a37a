package io.github.vtdiag.hang;

import io.github.vtdiag.model.Frame;
import java.util.Optional;

/**
 * One thread waits for another.
 *
 * @param waiter who waits
 * @param lock for what; of a class that is being initialized its {@link LockRef#className}
 * @param how why it is the other one's turn
 * @param other whom it waits for
 * @param heldIn the frame in which the other one took it; empty if that cannot be seen, as with
 *     every {@code ReentrantLock}
 * @param exact whether both are known to mean the same object; if not, it is the only one of that
 *     class that can be meant
 */
public record WaitEdge(
    SeenThread waiter,
    LockRef lock,
    How how,
    SeenThread other,
    Optional<Frame> heldIn,
    boolean exact) {

  /** Why a thread waits for another. */
  public enum How {
    /** The other one holds the monitor. */
    MONITOR,
    /** The other one holds the lock. */
    LOCK,
    /** The lock is free, and the other one is first in its queue. */
    NEXT,
    /** The other one initializes the class. */
    CLASS_INITIALIZATION,
    /** The other one is in the same call, and may be the one to wake it. */
    SAME_CALL
  }
}
