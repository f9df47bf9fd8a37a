package io.github.vtdiag.boot;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * The lock of one object, once threads wait for it or on it. It is a {@code ReentrantLock} that can
 * be created for a thread that holds it already. The synchronizer's state counts the enters.
 */
public final class CanonicalLock extends AbstractQueuedSynchronizer {
  private static final long serialVersionUID = 1L;

  final transient Object object;

  /** The number of threads that hold it, wait for it or wait on it; guarded by the bucket. */
  int users = 1;

  /** The next lock in the bucket. */
  transient CanonicalLock next;

  /**
   * The thin lock that this one replaces. Only the owner knows how often it had entered it before.
   */
  private transient ThinLock before;

  private transient ConditionObject condition;

  /** Creates a lock that the current thread holds. */
  CanonicalLock(Object object) {
    this.object = object;
    setExclusiveOwnerThread(Thread.currentThread());
    setState(1);
  }

  /** Creates a lock that the thread that holds the thin one holds, entered as often. */
  CanonicalLock(ThinLock before) {
    this.object = before.object;
    this.before = before;
    setExclusiveOwnerThread(before.thread);
    setState(1);
  }

  @Override
  protected boolean tryAcquire(int enters) {
    if (getState() == 0 && compareAndSetState(0, enters)) {
      setExclusiveOwnerThread(Thread.currentThread());
      return true;
    }
    return false;
  }

  @Override
  protected boolean tryRelease(int enters) {
    int left = getState() - enters;
    if (left == 0) {
      setExclusiveOwnerThread(null);
    }
    setState(left);
    return left == 0;
  }

  @Override
  protected boolean isHeldExclusively() {
    return isMine();
  }

  /** Returns whether the current thread holds it. */
  @SuppressWarnings("ReferenceEquality") // A thread's class may define equals.
  boolean isMine() {
    return getExclusiveOwnerThread() == Thread.currentThread();
  }

  void enter() {
    if (!tryAcquire(1)) {
      StackProbe.park();
      acquire(1);
    }
  }

  /** Enters again; called by the thread that holds it. */
  void enterAgain() {
    setState(getState() + 1);
  }

  /** Takes back an {@link #enterAgain}, unless the owner entered only once. */
  boolean exitAgain() {
    countAll();
    int enters = getState();
    if (enters == 1) {
      return false;
    }
    setState(enters - 1);
    return true;
  }

  private void countAll() {
    if (before != null) {
      setState(getState() + before.again);
      before = null;
    }
  }

  void exit() {
    release(1);
  }

  /** Does what {@code Object.wait} does, where 0 is forever; the caller holds the lock. */
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  void await(long millis) throws InterruptedException {
    if (millis < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    countAll();
    if (condition == null) {
      condition = new ConditionObject();
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
