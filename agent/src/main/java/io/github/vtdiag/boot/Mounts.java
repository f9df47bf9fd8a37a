package io.github.vtdiag.boot;

import java.util.concurrent.ForkJoinWorkerThread;

/**
 * Counts how often each carrier mounted a virtual thread, and notes which threads were mounted. A
 * carrier whose count is the same as before still carries the same thread; a thread that is not
 * noted has not run meanwhile. Called by the JDK's own code on the carrier, just before each mount.
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

  private Mounts() {}

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
