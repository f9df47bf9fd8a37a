package io.github.vtdiag.cli;

/**
 * Keeps the heap small while recordings are read. The serial collector is fastest for a short run.
 * But it collects its old generation only when the heap has reached its limit, a quarter of the
 * machine's memory; what each chunk leaves there would pile up until then.
 */
final class HeapGrowth {
  /** The least growth of the heap before it is collected, in bytes. */
  private static final long ROOM = 32 << 20;

  /** The bytes that survived the last collection. */
  private long kept;

  /**
   * Collects the heap if it has grown by {@link #ROOM}, and by half of what survived, since the
   * last collection: so collecting takes a small part of the time that filling takes.
   */
  void limit() {
    if (used() > kept + Math.max(ROOM, kept / 2)) {
      System.gc();
      kept = used();
    }
  }

  private static long used() {
    Runtime jvm = Runtime.getRuntime();
    return jvm.totalMemory() - jvm.freeMemory();
  }
}
