package vtdiag.boot;

/** Called by the JDK's own code when a virtual thread parks while pinned. */
public final class PinHook {
  /** What to run then, on the pinned thread; null for nothing. */
  public static volatile Runnable onPinnedPark;

  private PinHook() {}

  /** Must return normally whatever happens: the caller is {@code java.lang.VirtualThread}. */
  public static void pinnedPark() {
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
