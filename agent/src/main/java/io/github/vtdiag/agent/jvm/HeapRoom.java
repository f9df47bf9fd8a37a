package io.github.vtdiag.agent.jvm;

/**
 * Whether there is the memory that a retransformation takes. Where there is none, the JDK's
 * instrumentation library throws an error that it could not make, and the JVM crashes.
 */
public final class HeapRoom {
  private static final long NEEDED_BYTES = 4_000_000;

  private HeapRoom() {}

  /** As far as can be told without trying, which could be what ends the program. */
  public static boolean isThere() {
    Runtime runtime = Runtime.getRuntime();
    long unused = runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
    return unused >= NEEDED_BYTES;
  }
}
