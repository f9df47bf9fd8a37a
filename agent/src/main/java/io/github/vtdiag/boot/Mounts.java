package io.github.vtdiag.boot;

import java.util.concurrent.ForkJoinWorkerThread;

/**
 * Counts how often each carrier mounted a virtual thread: if it carries one and the count is the
 * same as before, that one has not left it meanwhile. Called by the JDK's own code on the carrier,
 * just before each mount.
 */
public final class Mounts {
  /** A power of two; more carriers than that share counts, which hides waits, never makes one. */
  private static final int CARRIERS = 1024;

  /** Of 64 bytes, so that no carrier writes to another one's cache line. */
  private static final int STRIDE_BITS = 3;

  /** Each count is written by its own carrier only, and may be read a moment late. */
  private static final long[] COUNTS = new long[(CARRIERS + 1) << STRIDE_BITS];

  private Mounts() {}

  /** Must return normally whatever happens: the caller is {@code java.lang.VirtualThread}. */
  public static void mount() {
    if (Thread.currentThread() instanceof ForkJoinWorkerThread carrier) {
      COUNTS[slot(carrier.getPoolIndex())]++;
    }
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
