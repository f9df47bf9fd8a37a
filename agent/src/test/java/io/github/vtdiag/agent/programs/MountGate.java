package io.github.vtdiag.agent.programs;

import java.util.concurrent.locks.ReentrantLock;

/**
 * What another agent has carriers pass before they run a virtual thread; on the boot class path.
 */
@SuppressWarnings("LockNotBeforeTry") // whoever comes waits for it, and that is all
public final class MountGate {
  public static final ReentrantLock LOCK = new ReentrantLock();

  private static volatile boolean closed;

  private MountGate() {}

  /** From now on they wait for the lock. */
  public static void close() {
    closed = true;
  }

  public static void pass() {
    if (closed) {
      LOCK.lock();
      LOCK.unlock();
    }
  }
}
