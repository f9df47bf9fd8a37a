package io.github.vtdiag.hang;

import io.github.vtdiag.model.Frame;
import java.util.Optional;

/**
 * The wait of one thread for another.
 *
 * @param waiter the thread that waits
 * @param lock what it waits for; for a class that is being initialized, its {@link
 *     LockRef#className}
 * @param how why the other thread has to act
 * @param other the thread that it waits for
 * @param heldIn the frame in which the other one took it; empty if it cannot be seen, as with every
 *     {@code ReentrantLock}
 * @param exact whether both are known to use the same object; if not, it is the only candidate of
 *     that class
 */
public record WaitEdge(
    SeenThread waiter,
    LockRef lock,
    How how,
    SeenThread other,
    Optional<Frame> heldIn,
    boolean exact) {

  /** The reasons for which a thread waits for another. */
  public enum How {
    /** The other one holds the monitor. */
    MONITOR,
    /** The other one holds the lock. */
    LOCK,
    /** The lock is free, and the other one is first in its queue. */
    NEXT,
    /** The other one runs the task whose result is awaited. */
    TASK,
    /** The other one's end is awaited. */
    JOIN,
    /** The other one initializes the class. */
    CLASS_INITIALIZATION,
    /** The other one is in the same call, and may be the one to wake it. */
    SAME_CALL,
    /** The other one tells when sockets are ready, and maybe when the one that is awaited is. */
    POLLER
  }
}
