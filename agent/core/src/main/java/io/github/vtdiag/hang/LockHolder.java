package io.github.vtdiag.hang;

import io.github.vtdiag.model.Printable;
import java.util.OptionalLong;

/** Who has, or gets next, the lock that a thread is parked for. */
public sealed interface LockHolder {

  /** A thread has it. */
  record HeldBy(long threadId) implements LockHolder {}

  /**
   * A thread has it that has ended, and so never releases it.
   *
   * @param name the thread's name; empty if it had none, or that is not known
   * @param certain whether it was seen as ended; else it is only missing among all threads
   */
  record Ended(long threadId, String name, boolean certain) implements LockHolder {
    String text() {
      return "thread #" + threadId + (name.isEmpty() ? "" : " " + Printable.quoted(name));
    }
  }

  /**
   * Nobody has it: it goes to the first in its queue as soon as that one runs.
   *
   * @param next the first in the queue; empty if nobody waits there any more
   */
  record Free(OptionalLong next) implements LockHolder {}

  /** Whoever has it: the thread was woken already, and nobody need do anything more for it. */
  record Woken() implements LockHolder {}

  /** Conditions, semaphores, latches and queues have no owner, or none that can be read. */
  record NotKnown() implements LockHolder {}
}
