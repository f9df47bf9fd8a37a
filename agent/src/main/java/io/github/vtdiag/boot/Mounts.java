package io.github.vtdiag.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The number of mounts of each carrier, and notes of the threads that were mounted, that woke
 * others, and that failed. A carrier whose count is the same as before still has the same thread
 * mounted; a thread without a note has not run meanwhile. The JDK's own code calls it: on the
 * carrier just before each mount, on the thread that unparks a virtual thread, and on a thread that
 * fails.
 */
public final class Mounts {
  /**
   * A power of two. If there are more carriers, some share counts, which hides waits and never
   * invents one.
   */
  private static final int CARRIERS = 1024;

  /**
   * A power of two: the number of carriers of schedulers other than the JDK's that have a count
   * each.
   */
  private static final int OTHERS = 256;

  /** The number of slots that are tried for a carrier of another scheduler. */
  private static final int TRIES = 16;

  /** A stride of 64 bytes, so that no carrier writes to another carrier's cache line. */
  private static final int STRIDE_BITS = 3;

  /** Each count is written by its own carrier only, and may be read a moment late. */
  private static final long[] COUNTS = new long[(CARRIERS + OTHERS + 1) << STRIDE_BITS];

  /**
   * The carriers of schedulers other than the JDK's: the threads on which their executors run
   * tasks.
   */
  private static final AtomicReferenceArray<Thread> OTHER = new AtomicReferenceArray<>(OTHERS);

  /** The first thread that each of them mounted, until {@link #takeFirst} is called. */
  private static final AtomicReferenceArray<Thread> FIRST = new AtomicReferenceArray<>(OTHERS);

  /** True if there was no slot for one of them. */
  private static volatile boolean missedOthers;

  /** A power of two. Threads that share a slot overwrite each other's note. */
  private static final int NOTE_BITS = 16;

  /** Spreads consecutive ids, whose threads run at the same time, over the cache lines. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** The id of the thread that was mounted last, per slot; 0 if it was asked for since. */
  private static final long[] NOTES = new long[1 << NOTE_BITS];

  /**
   * The thread that was woken last, and in the low bits its waker, per slot; 0 if asked for since.
   */
  private static final long[] WAKERS = new long[1 << NOTE_BITS];

  /** The id of the thread that failed last, per slot. */
  private static final long[] FAILURES = new long[1 << NOTE_BITS];

  /**
   * The exceptions of the threads that failed since {@link #takeFailures} was called, or the first
   * of them if there are more.
   */
  private static final AtomicReferenceArray<Throwable> EXCEPTIONS = new AtomicReferenceArray<>(64);

  /** The number of exceptions that were noted, which may exceed the room for them. */
  private static final AtomicInteger EXCEPTION_COUNT = new AtomicInteger();

  /** Half of a note of a woken thread and its waker: no program starts more threads than that. */
  private static final int ID_BITS = 32;

  private static final long ID = (1L << ID_BITS) - 1;

  /** The superclass of the locks that a thread is handed by their former owner. */
  private static final Class<?> LOCK = ofJdk("java.util.concurrent.locks.ReentrantLock$Sync");

  /**
   * The class of the JDK's carriers. From JDK 25 on a carrier without a thread wakes threads whose
   * timeout has expired.
   */
  private static final Class<?> CARRIER = ofJdk("jdk.internal.misc.CarrierThread");

  /** The class of the JDK's thread that does the same before JDK 25, and of other threads. */
  private static final Class<?> INNOCUOUS = ofJdk("jdk.internal.misc.InnocuousThread");

  /** The beginning of the name of that thread. */
  private static final String TIMER = "VirtualThread-unparker";

  static {
    // The code for the first such carrier is linked now, not in the middle of a mount.
    OTHER.compareAndSet(0, null, null);
    FIRST.set(0, null);
  }

  private Mounts() {}

  private static Class<?> ofJdk(String name) {
    try {
      return Class.forName(name, false, null);
    } catch (ClassNotFoundException e) {
      return Mounts.class; // No object is an instance of it: then all wake-ups count.
    }
  }

  /**
   * Notes which thread wakes another. A thread that only hands over a lock is not noted: every
   * queue and condition has a lock, which the threads that wait there take from each other. Nor is
   * the JDK's timer: a thread that was woken and then slept would have lost its note. Must return
   * normally whatever happens: the caller is {@code java.lang.VirtualThread}.
   *
   * @param virtual the thread that is about to be told to go on
   */
  public static void wake(Object virtual) {
    if (virtual instanceof Thread thread) {
      Thread waker = Thread.currentThread();
      Object blocker = LockSupport.getBlocker(thread);
      if (!isTimer(waker) && (blocker == null || blocker.getClass().getSuperclass() != LOCK)) {
        long id = thread.threadId();
        WAKERS[note(id)] = (id << ID_BITS) | (waker.threadId() & ID);
      }
    }
  }

  private static boolean isTimer(Thread waker) {
    Class<?> type = waker.getClass();
    return type == CARRIER || (type == INNOCUOUS && waker.getName().startsWith(TIMER));
  }

  /**
   * Returns the thread that has woken a thread since the last call; 0 if there is none. One wake-up
   * in many is missed, where another thread took the slot.
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

  /**
   * Notes the same, and keeps the exception until {@link #takeFailures} is called. Must return
   * normally whatever happens, and calls none of the exception's methods: these may be the
   * application's.
   */
  public static void failed(Throwable exception) {
    failed();
    if (EXCEPTION_COUNT.get() < EXCEPTIONS.length()) {
      int at = EXCEPTION_COUNT.getAndIncrement();
      if (at < EXCEPTIONS.length()) {
        EXCEPTIONS.set(at, exception);
      }
    }
  }

  /** Returns the exceptions that were noted since the last call, and keeps them no longer. */
  public static List<Throwable> takeFailures() {
    List<Throwable> taken = new ArrayList<>();
    if (EXCEPTION_COUNT.get() > 0) {
      for (int i = 0; i < EXCEPTIONS.length(); i++) {
        Throwable exception = EXCEPTIONS.getAndSet(i, null);
        if (exception != null) {
          taken.add(exception);
        }
      }
      EXCEPTION_COUNT.set(0);
    }
    return taken;
  }

  /** Returns whether a thread, or a task of it, has failed. */
  public static boolean hasFailed(long threadId) {
    return FAILURES[note(threadId)] == threadId;
  }

  /**
   * Counts and notes a mount. Must return normally whatever happens: the caller is {@code
   * java.lang.VirtualThread}.
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
   * Notes a thread that was seen to be a carrier: it is otherwise unknown if it has not mounted
   * since mounts are counted.
   */
  public static void note(Thread carrier) {
    if (index(carrier) < 0) {
      add(carrier, null);
    }
  }

  /**
   * Notes a carrier of another scheduler, and returns its index; negative if there is no slot for
   * it.
   */
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
   * Returns the index of a carrier's count: that of a carrier of the JDK's scheduler is its index
   * in the pool. Negative for a thread that has mounted none.
   */
  @SuppressWarnings("ReferenceEquality") // A thread's class may define equals.
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

  /** Returns the live threads that are, or were, carriers of schedulers other than the JDK's. */
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

  /** Returns whether a carrier of another scheduler may be missing from {@link #others}. */
  public static boolean missedOthers() {
    return missedOthers;
  }

  /** Returns the first thread that such a carrier mounted; null if that was asked for before. */
  public static Thread takeFirst(Thread carrier) {
    int index = index(carrier);
    return index < CARRIERS ? null : FIRST.getAndSet(index - CARRIERS, null);
  }

  /**
   * Returns whether a thread was mounted since the last call. One mount in many is missed, where
   * another thread took the slot; if the thread goes on mounting, the next mount is seen.
   */
  public static boolean wasMounted(long threadId) {
    int slot = note(threadId);
    boolean noted = NOTES[slot] == threadId;
    if (noted) {
      NOTES[slot] = 0;
    }
    return noted;
  }

  /**
   * Returns the largest id of the threads whose mount was noted and not asked for; 0 if there is
   * none. A larger one later is that of a new thread, even if that has ended by then.
   */
  public static long newest() {
    long newest = 0;
    for (long id : NOTES) {
      newest = Math.max(newest, id);
    }
    return newest;
  }

  private static int note(long threadId) {
    return (int) ((threadId * SPREAD) >>> (Long.SIZE - NOTE_BITS));
  }

  /**
   * Returns how often a carrier has mounted.
   *
   * @param index its {@link #index}
   */
  public static long count(int index) {
    return index < 0 ? 0 : COUNTS[slot(index)];
  }

  /** Returns how often all carriers have mounted; 0 if mounts are not counted. */
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
