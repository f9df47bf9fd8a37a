package io.github.vtdiag.boot;

/** Called by the JDK's own code when a virtual thread parks while pinned. */
public final class PinHook {
  /** What to run then, on the pinned thread; null for nothing. */
  public static volatile Runnable onPinnedPark;

  /** The id of a thread that calls that code to see whether this is called; 0 if there is none. */
  public static volatile long proverId;

  /** Whether it is: set for the prover, which must come back at once, so something is thrown. */
  public static volatile boolean proven;

  private PinHook() {}

  /**
   * Must return normally whatever happens, but to the prover: the caller is {@code
   * java.lang.VirtualThread}.
   */
  public static void pinnedPark() {
    if (proverId == Thread.currentThread().threadId()) {
      proven = true;
      throw new IllegalStateException("proven");
    }
    Runnable action = onPinnedPark;
    if (action != null) {
      try {
        action.run();
      } catch (Throwable e) {
        onPinnedPark = null;
      }
    }
  }
}
