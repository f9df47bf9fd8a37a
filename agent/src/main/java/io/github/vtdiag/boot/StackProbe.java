package io.github.vtdiag.boot;

/**
 * Checks that work which must not be left half done has the stack it needs: a StackOverflowError is
 * thrown here, before anything was taken, or not at all.
 */
final class StackProbe {
  /** Always null. Not final, or the JIT would know. */
  private static Runnable never;

  private StackProbe() {}

  /**
   * Fails unless there is a large frame's worth of stack. The agent writes thousands of local
   * variables into its class file, so the interpreter asks for a frame of that size. Compiled code
   * has no such frame, but asks for as much stack, because it may have to go on interpreted: at the
   * call below, which therefore must be there.
   */
  static void probe() {
    if (never != null) {
      never.run();
    }
  }

  /**
   * Fails unless the current thread could park now. To unmount a virtual thread, HotSpot walks its
   * frames by recursion, which ends with a StackOverflowError if the stack is deep. Thrown out of
   * {@code ReentrantLock}, it would leave the thread queued, and all threads behind it. Yielding
   * tries that; afterwards the frames are off the stack, and come back as the thread returns to
   * them.
   */
  @SuppressWarnings("ThreadPriorityCheck") // it only tries whether the thread can unmount
  static void park() {
    if (Thread.currentThread().isVirtual()) {
      Thread.yield();
    }
  }
}
