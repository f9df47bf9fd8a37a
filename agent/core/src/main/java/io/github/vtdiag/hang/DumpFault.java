package io.github.vtdiag.hang;

/**
 * A fault of Java 25: a dump of virtual threads ends the JVM if a carrier mounts or unmounts one of
 * them in the moment in which that is read (JDK-8364343, fixed in 26). A thread without a carrier
 * that is kept from being mounted can be read.
 */
public final class DumpFault {
  /**
   * The processor time, in nanoseconds, below which a carrier has only looked for work, and found
   * none, in some tens of milliseconds.
   */
  public static final long IDLE_NANOS = 200_000;

  private DumpFault() {}

  /** Whether a release has it. */
  public static boolean isIn(int feature) {
    return CrashRisk.DUMP.affects(feature, 0);
  }
}
