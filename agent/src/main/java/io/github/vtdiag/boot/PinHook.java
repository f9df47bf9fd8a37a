package io.github.vtdiag.boot;

/** Called by the JDK's own code when a virtual thread parks while pinned. */
public final class PinHook {
  /** The action that runs then, on the pinned thread; null for none. */
  public static volatile Runnable onPinnedPark;

  /**
   * The id of a thread that calls the JDK's code to check that the hook is called; 0 if there is
   * none.
   */
  public static volatile long proverId;

  /**
   * True once the hook was called for the prover. The prover must come back at once, so the hook
   * throws.
   */
  public static volatile boolean proven;

  private PinHook() {}

  /**
   * Runs the action. Must return normally whatever happens, except for the prover: the caller is
   * {@code java.lang.VirtualThread}.
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
