package samples.fuzz.run;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * What a lock of a generated program guards: a plain counter that loses counts, and says so, where
 * two threads are inside at once. Nothing here locks.
 */
public final class Guard {
  private final AtomicReference<Thread> inside = new AtomicReference<>();
  private volatile boolean torn;
  private int hits;

  /** Counts one, slowly; only to be called under the lock. */
  @SuppressWarnings({
    "ReferenceEquality",
    "ThreadPriorityCheck"
  }) // Others shall get in if they can.
  public void hit(int k) {
    Thread me = Thread.currentThread();
    Thread before = inside.getAndSet(me);
    if (before != null && before != me) {
      torn = true;
    }
    int seen = hits;
    if (k % 4 == 0) {
      LockSupport.parkNanos(50_000);
    } else {
      Thread.yield();
    }
    hits = seen + 1;
    if (!inside.compareAndSet(me, before)) {
      torn = true;
    }
  }

  /** What must be the same in every run; only when all threads have ended. */
  @Override
  public String toString() {
    return hits + (torn ? " TORN" : "");
  }
}
