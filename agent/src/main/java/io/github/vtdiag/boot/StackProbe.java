package io.github.vtdiag.boot;

/**
 * Makes sure that work which must not be left half done has the stack it needs: a
 * StackOverflowError is thrown here, before anything was taken, or not at all.
 */
final class StackProbe {
  /** Always null. Not final, or the JIT would know. */
  private static Runnable never;

  private StackProbe() {}

  /**
   * Fails unless there is a large frame's worth of stack. The agent writes thousands of local
   * variables into its class file, so the interpreter asks for a frame of that size. What the
   * compilers make of it has none, but asks for as much, because it may have to go on interpreted:
   * at the call below, which therefore must be there.
   */
  static void probe() {
    if (never != null) {
      never.run();
    }
  }

  /**
   * Fails unless the current thread could park now. To take a virtual thread off its carrier,
   * HotSpot walks its frames by recursion, and ends that with a StackOverflowError when it is deep;
   * thrown out of {@code ReentrantLock}, it would leave the thread queued, and all behind it.
   * Yielding tries it; afterwards the frames are off the stack, and come back as the thread returns
   * to them.
   */
  @SuppressWarnings("ThreadPriorityCheck") // Not for the sake of other threads.
  static void park() {
    if (Thread.currentThread().isVirtual()) {
      Thread.yield();
    }
  }
}
