package io.github.vtdiag.cli;

/**
 * Keeps the heap small while recordings are read. The serial collector, with which a short run is
 * fastest, collects its old generation only when the heap has reached its limit, a quarter of the
 * machine's memory; what each chunk leaves there would pile up until then.
 */
final class HeapGrowth {
  /** By how much the heap may grow before it is collected, at least; in bytes. */
  private static final long ROOM = 32 << 20;

  /** What the last collection kept, in bytes. */
  private long kept;

  /**
   * Collects the heap if it has grown by {@link #ROOM}, and by half of what was kept, since this
   * was done last: so the time that collecting takes stays a small part of the time that filling
   * takes.
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
