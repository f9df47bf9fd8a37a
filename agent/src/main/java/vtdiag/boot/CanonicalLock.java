package vtdiag.boot;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The lock that stands for the monitor of one object. */
public final class CanonicalLock extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  /** {@code Object.clone} copies the field that holds this; the copy's lock is another one. */
  final transient Object owner;

  /**
   * How many enters are in progress or completed; of a lock in {@link LockTable}, under its bucket.
   */
  int users;

  /** The next lock in the bucket. */
  transient CanonicalLock next;

  private transient Condition condition;

  CanonicalLock(Object owner) {
    this.owner = owner;
  }

  void enter() {
    if (!tryLock()) {
      StackProbe.park();
      lock();
    }
  }

  /** {@code Object.wait}, where 0 is forever; the caller holds the lock. */
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  void await(long millis) throws InterruptedException {
    if (millis < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    if (condition == null) {
      condition = newCondition();
    }
    StackProbe.park();
    if (millis == 0) {
      condition.await();
    } else {
      condition.await(millis, TimeUnit.MILLISECONDS);
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
