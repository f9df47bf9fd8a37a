package io.github.vtdiag.agent.jvm;

/**
 * Tells whether there is the memory that a retransformation takes. Without it, the JDK's
 * instrumentation library throws an error that it could not create, and the JVM crashes.
 */
public final class HeapRoom {
  private static final long NEEDED_BYTES = 4_000_000;

  private HeapRoom() {}

  /** Returns whether the memory is there, without trying, which could be what ends the program. */
  public static boolean isThere() {
    Runtime runtime = Runtime.getRuntime();
    long unused = runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
    return unused >= NEEDED_BYTES;
  }
}
