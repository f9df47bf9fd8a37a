package io.github.vtdiag.hang;

import io.github.vtdiag.model.Printable;
import java.util.OptionalLong;

/**
 * The thread that can end a park: the current or next owner of the lock, or the thread that runs
 * the awaited task, or that is joined.
 */
public sealed interface LockHolder {

  /** A thread that holds the lock. */
  record HeldBy(long threadId) implements LockHolder {}

  /**
   * A thread that held the lock when it ended, and so never releases it.
   *
   * @param name the thread's name; empty if it had none, or it is unknown
   * @param certain whether it was seen as ended; otherwise it is only missing among all threads
   */
  record Ended(long threadId, String name, boolean certain) implements LockHolder {
    String text() {
      return "thread #" + threadId + (name.isEmpty() ? "" : " " + Printable.quoted(name));
    }
  }

  /**
   * No owner: the lock goes to the first in its queue as soon as that thread runs.
   *
   * @param next the first in the queue; empty if no thread waits there any more
   */
  record Free(OptionalLong next) implements LockHolder {}

  /** No owner, but a thread that runs the task whose result is awaited. */
  record RunBy(long threadId) implements LockHolder {}

  /** No owner, but a thread whose end is awaited. */
  record EndOf(long threadId) implements LockHolder {}

  /** Any owner: the thread was woken already, and needs nothing more from another thread. */
  record Woken() implements LockHolder {}

  /**
   * An unknown owner. Conditions, semaphores, latches and queues have none, or none that can be
   * read.
   */
  record NotKnown() implements LockHolder {}
}
