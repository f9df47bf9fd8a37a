package io.github.vtdiag.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicReferenceArray;
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

  /** A power of two; so many carriers of other schedulers than the JDK's have a count each. */
  private static final int OTHERS = 256;

  /** So many places are tried for one of them. */
  private static final int TRIES = 16;

  /** Of 64 bytes, so that no carrier writes to another one's cache line. */
  private static final int STRIDE_BITS = 3;

  /** Each count is written by its own carrier only, and may be read a moment late. */
  private static final long[] COUNTS = new long[(CARRIERS + OTHERS + 1) << STRIDE_BITS];

  /**
   * The carriers of other schedulers than the JDK's: whatever thread their executors run tasks on.
   */
  private static final AtomicReferenceArray<Thread> OTHER = new AtomicReferenceArray<>(OTHERS);

  /** What each of them mounted first, until somebody asks for it. */
  private static final AtomicReferenceArray<Thread> FIRST = new AtomicReferenceArray<>(OTHERS);

  /** Whether there was no place for one of them. */
  private static volatile boolean missedOthers;

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

  static {
    // What the first such carrier needs is linked now, not in the middle of a mount.
    OTHER.compareAndSet(0, null, null);
    FIRST.set(0, null);
  }

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
    if (virtual instanceof Thread thread) {
      Thread carrier = Thread.currentThread();
      int index = index(carrier);
      index = index < 0 ? add(carrier, thread) : index;
      if (index >= 0) {
        COUNTS[slot(index)]++;
      }
      long id = thread.threadId();
      NOTES[note(id)] = id;
    }
  }

  /**
   * Notes a thread that was seen to carry: one that has not mounted since mounts are counted is not
   * known otherwise.
   */
  public static void note(Thread carrier) {
    if (index(carrier) < 0) {
      add(carrier, null);
    }
  }

  /** Notes a carrier of another scheduler; negative if there is no place for it. */
  private static int add(Thread carrier, Thread first) {
    for (int i = 0; i < TRIES; i++) {
      int at = place(carrier, i);
      Thread there = OTHER.get(at);
      if ((there == null || !there.isAlive()) && OTHER.compareAndSet(at, there, carrier)) {
        FIRST.set(at, first);
        return CARRIERS + at;
      }
    }
    missedOthers = true;
    return -1;
  }

  private static int place(Thread carrier, int tried) {
    return (note(carrier.threadId()) + tried) & (OTHERS - 1);
  }

  /**
   * Which count is that of a carrier: those of the JDK's scheduler have that of their index in its
   * pool. Negative for a thread that has carried nothing.
   */
  @SuppressWarnings("ReferenceEquality") // A thread may have an equals of its own.
  public static int index(Thread carrier) {
    if (carrier.getClass() == CARRIER && carrier instanceof ForkJoinWorkerThread worker) {
      return worker.getPoolIndex() & (CARRIERS - 1);
    }
    for (int i = 0; i < TRIES; i++) {
      int at = place(carrier, i);
      if (OTHER.get(at) == carrier) {
        return CARRIERS + at;
      }
    }
    return -1;
  }

  /** The threads that carry, or have carried, for other schedulers than the JDK's, and live. */
  public static List<Thread> others() {
    List<Thread> others = new ArrayList<>();
    for (int at = 0; at < OTHERS; at++) {
      Thread carrier = OTHER.get(at);
      if (carrier != null && carrier.isAlive()) {
        others.add(carrier);
      } else if (carrier != null && OTHER.compareAndSet(at, carrier, null)) {
        FIRST.set(at, null); // Nothing of a thread that has ended is kept.
      }
    }
    return others;
  }

  /** Whether one of them may not be among {@link #others}. */
  public static boolean missedOthers() {
    return missedOthers;
  }

  /** What one of them mounted first; null if that was asked for before. */
  public static Thread takeFirst(Thread carrier) {
    int index = index(carrier);
    return index < CARRIERS ? null : FIRST.getAndSet(index - CARRIERS, null);
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

  /**
   * How often a carrier has mounted.
   *
   * @param index its {@link #index}
   */
  public static long count(int index) {
    return index < 0 ? 0 : COUNTS[slot(index)];
  }

  /** How often all carriers have mounted; 0 where nobody counts. */
  public static long total() {
    long total = 0;
    for (int at = 1 << STRIDE_BITS; at < COUNTS.length; at += 1 << STRIDE_BITS) {
      total += COUNTS[at];
    }
    return total;
  }

  private static int slot(int index) {
    // The first line also has the array's length.
    return (index + 1) << STRIDE_BITS;
  }
}
