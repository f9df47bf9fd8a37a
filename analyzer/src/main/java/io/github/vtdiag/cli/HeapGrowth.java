package io.github.vtdiag.cli;

/**
 * Keeps the heap small while recordings are read and analyzed. The serial collector is fastest for
 * a short run, but collects its old generation only when the heap has reached its limit, a quarter
 * of the machine's memory; what reading and analysis leave there would pile up until then.
 */
final class HeapGrowth {
  /** The least growth of the heap before it is collected, in bytes: more than its young part. */
  private static final long ROOM = 24 << 20;

  /** A full young part is moved to the old one some ten times a second. */
  private static final long BETWEEN_QUESTIONS_MILLIS = 10;

  private final Thread thread = Thread.ofPlatform().daemon().name("heap growth").start(this::limit);

  /**
   * Collects the heap each time it has grown by {@link #ROOM}, and by a fifth of what survived the
   * last collection: so collecting takes a small part of the time that filling takes.
   */
  private void limit() {
    long kept = used();
    try {
      while (true) {
        Thread.sleep(BETWEEN_QUESTIONS_MILLIS);
        if (used() > kept + Math.max(ROOM, kept / 5)) {
          System.gc();
          kept = used();
        }
      }
    } catch (InterruptedException e) {
      // Ended.
    }
  }

  private static long used() {
    Runtime jvm = Runtime.getRuntime();
    return jvm.totalMemory() - jvm.freeMemory();
  }

  /** Ends the limit. */
  void end() {
    thread.interrupt();
  }
}
