package vtdiag.boot;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The lock that stands for the monitor of one object. */
public final class CanonicalLock extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  /** {@code Object.clone} copies the field that holds this; the copy's lock is another one. */
  final transient Object owner;

  /** How many enters are under way or done; of a lock in {@link LockTable}, under its bucket. */
  int users;

  /** The next lock in the bucket. */
  transient CanonicalLock next;

  /** How often the thread that holds it entered; it alone reads and writes this. */
  private int depth;

  private transient Condition condition;

  CanonicalLock(Object owner) {
    this.owner = owner;
  }

  void enter() {
    try {
      lock();
    } catch (Throwable e) {
      undo();
      throw e;
    }
    depth++;
  }

  /** A StackOverflowError can leave {@code lock()} with the lock held. */
  private void undo() {
    while (isHeldByCurrentThread() && getHoldCount() > depth) {
      unlock();
    }
  }

  void exit() {
    if (!isHeldByCurrentThread()) {
      throw new IllegalMonitorStateException("current thread is not owner");
    }
    depth--;
    unlock();
  }

  /** {@code Object.wait}, where 0 is for ever; the caller holds the lock. */
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  void await(long millis) throws InterruptedException {
    if (millis < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    if (condition == null) {
      condition = newCondition();
    }
    int saved = depth;
    depth = 0;
    try {
      if (millis == 0) {
        condition.await();
      } else {
        condition.await(millis, TimeUnit.MILLISECONDS);
      }
    } finally {
      depth = saved;
    }
  }

  void signal() {
    if (condition != null) {
      condition.signal();
    }
  }

  void signalAll() {
    if (condition != null) {
      condition.signalAll();
    }
  }
}
