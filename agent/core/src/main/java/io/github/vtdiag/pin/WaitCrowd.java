package io.github.vtdiag.pin;

import io.github.vtdiag.model.ClassRef;

/**
 * Virtual threads that a snapshot found waiting at one place.
 *
 * @param look the number of the snapshot
 * @param stack the number of their stack; 0 if there were too many different ones
 * @param state how they wait
 * @param lockClass the class of the object that they are parked for; empty if they have none
 * @param lockIdentity its identity hash if it is one object for all of them, else 0
 * @param locks the number of objects that they are parked for
 * @param threads their number among the examined threads
 * @param ownerStack the number of the stack of one owner of what they wait for; 0 if there is none
 *     or it is unknown
 * @param free for a semaphore that all of them wait for, one more than its available permits; else
 *     0
 */
public record WaitCrowd(
    long look,
    int stack,
    Thread.State state,
    String lockClass,
    int lockIdentity,
    int locks,
    int threads,
    int ownerStack,
    int free) {
  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if its text is malformed
   */
  public static WaitCrowd of(EventValues event) {
    return new WaitCrowd(
        event.number("look"),
        (int) event.number("stack"),
        Thread.State.valueOf(event.text("state")),
        ClassRef.withoutHiddenSuffix(event.text("lockClass")),
        (int) event.number("lockIdentity"),
        (int) event.number("locks"),
        (int) event.number("threads"),
        (int) event.number("ownerStack"),
        (int) event.number("free"));
  }

  // There can be millions of them, and the JVM's own method for a record is slow.

  @Override
  public boolean equals(Object other) {
    return other instanceof WaitCrowd crowd
        && look == crowd.look
        && stack == crowd.stack
        && lockIdentity == crowd.lockIdentity
        && locks == crowd.locks
        && threads == crowd.threads
        && ownerStack == crowd.ownerStack
        && free == crowd.free
        && state == crowd.state
        && lockClass.equals(crowd.lockClass);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(
        (((look * 31 + stack) * 31 + lockIdentity) * 31 + threads) * 31 + ownerStack);
  }
}
