package io.github.vtdiag.hang;

/**
 * A fault of Java 25: dumping a virtual thread at the moment it is mounted or unmounted crashes the
 * JVM (JDK-8364343, fixed in 26). An unmounted thread that is kept from being mounted can be read
 * safely.
 */
public final class DumpFault {
  /**
   * The processor time, in nanoseconds, of a carrier that only searched for work and found none. A
   * carrier with less over some tens of milliseconds was idle.
   */
  public static final long IDLE_NANOS = 200_000;

  private DumpFault() {}

  /** Returns whether a release has it. */
  public static boolean isIn(int feature) {
    return CrashRisk.DUMP.affects(feature, 0);
  }
}
