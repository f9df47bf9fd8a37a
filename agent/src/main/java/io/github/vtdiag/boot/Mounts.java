package io.github.vtdiag.boot;

import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts how often each carrier mounted a virtual thread, and notes which threads were mounted, who
 * woke them, and which threads failed. A carrier whose count is the same as before still carries
 * the same thread; a thread that is not noted has not run meanwhile. Called by the JDK's own code:
 * on the carrier just before each mount, by whoever unparks a virtual thread, and by a thread that
 * fails.
 */
public final class Mounts {
  /** A power of two; more carriers than that share counts, which hides waits, never makes one. */
  private static final int CARRIERS = 1024;

  /** Of 64 bytes, so that no carrier writes to another one's cache line. */
  private static final int STRIDE_BITS = 3;

  /** Each count is written by its own carrier only, and may be read a moment late. */
  private static final long[] COUNTS = new long[(CARRIERS + 1) << STRIDE_BITS];

  /** A power of two. Threads that share a slot overwrite each other's note. */
  private static final int NOTE_BITS = 16;

  /** Spreads consecutive ids, whose threads run at the same time, over the cache lines. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** The id of the thread of each slot that was mounted last; 0 if that was asked for since. */
  private static final long[] NOTES = new long[1 << NOTE_BITS];

  /**
   * Of each slot the thread that was woken last, and below it who woke it; 0 if asked for since.
   */
  private static final long[] WAKERS = new long[1 << NOTE_BITS];

  /** The id of the thread of each slot that failed last. */
  private static final long[] FAILURES = new long[1 << NOTE_BITS];

  /** Half of a note of who woke whom: nobody starts more threads than that. */
  private static final int ID_BITS = 32;

  private static final long ID = (1L << ID_BITS) - 1;

  /** What is common to the locks that a thread is handed by whoever had it before. */
  private static final Class<?> LOCK = ofJdk("java.util.concurrent.locks.ReentrantLock$Sync");

  /** From JDK 25 on one that runs no thread wakes those whose time is over. */
  private static final Class<?> CARRIER = ofJdk("jdk.internal.misc.CarrierThread");

  private Mounts() {}

  private static Class<?> ofJdk(String name) {
    try {
      return Class.forName(name, false, null);
    } catch (ClassNotFoundException e) {
      return Mounts.class; // Nothing is of it: then all that wake count.
    }
  }

  /**
   * Notes who wakes a thread. Who only hands it a lock does not: every queue and condition has one,
   * which the threads that wait there take from each other. Nor does a timer. Must return normally
   * whatever happens: the caller is {@code java.lang.VirtualThread}.
   *
   * @param virtual the thread that is about to be told to go on
   */
  public static void wake(Object virtual) {
    if (virtual instanceof Thread thread) {
      Thread waker = Thread.currentThread();
      Object blocker = LockSupport.getBlocker(thread);
      if (waker.getClass() != CARRIER
          && (blocker == null || blocker.getClass().getSuperclass() != LOCK)) {
        long id = thread.threadId();
        WAKERS[note(id)] = (id << ID_BITS) | (waker.threadId() & ID);
      }
    }
  }

  /**
   * Who has woken a thread since this was asked last, if anybody has, else 0. One in many is
   * missed, where another thread took the slot.
   */
  public static long takeWaker(long threadId) {
    int slot = note(threadId);
    long noted = WAKERS[slot];
    if (noted >>> ID_BITS != (threadId & ID)) {
      return 0;
    }
    WAKERS[slot] = 0;
    return noted & ID;
  }

  /**
   * Notes that the current thread, or the task that it has done, failed. Must return normally
   * whatever happens: the caller is {@code java.lang.Thread} or a task.
   */
  public static void failed() {
    long id = Thread.currentThread().threadId();
    FAILURES[note(id)] = id;
  }

  /** Whether a thread, or a task of it, has failed. */
  public static boolean hasFailed(long threadId) {
    return FAILURES[note(threadId)] == threadId;
  }

  /**
   * Must return normally whatever happens: the caller is {@code java.lang.VirtualThread}.
   *
   * @param virtual the thread that is about to be mounted
   */
  public static void mount(Object virtual) {
    if (Thread.currentThread() instanceof ForkJoinWorkerThread carrier) {
      COUNTS[slot(carrier.getPoolIndex())]++;
    }
    if (virtual instanceof Thread thread) {
      long id = thread.threadId();
      NOTES[note(id)] = id;
    }
  }

  /**
   * Whether a thread was mounted since this was asked last. One in many mounts is missed, where
   * another thread took the slot; that of a thread which goes on mounting is seen the next time.
   */
  public static boolean wasMounted(long threadId) {
    int slot = note(threadId);
    boolean noted = NOTES[slot] == threadId;
    if (noted) {
      NOTES[slot] = 0;
    }
    return noted;
  }

  private static int note(long threadId) {
    return (int) ((threadId * SPREAD) >>> (Long.SIZE - NOTE_BITS));
  }

  /** How often the carrier with that index in its pool has mounted. */
  public static long count(int poolIndex) {
    return COUNTS[slot(poolIndex)];
  }

  /** How often all carriers have mounted; 0 where nobody counts. */
  public static long total() {
    long total = 0;
    for (int at = 1 << STRIDE_BITS; at < COUNTS.length; at += 1 << STRIDE_BITS) {
      total += COUNTS[at];
    }
    return total;
  }

  private static int slot(int poolIndex) {
    // The first line also has the array's length.
    return ((poolIndex & (CARRIERS - 1)) + 1) << STRIDE_BITS;
  }
}
