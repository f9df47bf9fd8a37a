package io.github.vtdiag.boot;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The locks of objects, by identity; each exists as long as a thread holds it or waits for it. Made
 * anew for each enter, because weak references cost a hundred times as much; an array, because what
 * {@code java.util.concurrent}'s maps lock may be rewritten too.
 *
 * <p>A slot is empty, or has the {@link ThinLock} of the one object that is locked here; then
 * entering and leaving is a compare-and-set each, as it is with a monitor. As soon as a second
 * thread wants that lock, or another object wants this slot, there is a {@link Bucket} in it, until
 * none of the bucket's locks is used.
 */
@SuppressWarnings("ReferenceEquality") // Identity is what a monitor goes by.
final class LockTable {
  /** A power of two: so that hundreds of locks may be held at a time, mostly without a bucket. */
  private static final int SIZE = 1 << 14;

  private static final AtomicReferenceArray<Object> SLOTS = new AtomicReferenceArray<>(SIZE);

  private LockTable() {}

  /**
   * Locks of objects that share a slot, guarded by its monitor, not by a lock: releasing an
   * object's lock must not park, which a full stack may forbid. While it is held, nothing is called
   * that could park or come back here.
   */
  private static final class Bucket {
    private CanonicalLock first;

    Bucket(CanonicalLock first) {
      this.first = first;
    }

    /** Once it is, it is no longer in the table. */
    boolean isEmpty() {
      return first == null;
    }

    void add(CanonicalLock lock) {
      lock.next = first;
      first = lock;
    }

    CanonicalLock find(Object object) {
      CanonicalLock lock = first;
      while (lock != null && lock.object != object) {
        lock = lock.next;
      }
      return lock;
    }

    void remove(CanonicalLock lock) {
      if (first == lock) {
        first = lock.next;
        return;
      }
      CanonicalLock before = first;
      while (before.next != lock) {
        before = before.next;
      }
      before.next = lock.next;
    }
  }

  private static int slot(Object object) {
    return System.identityHashCode(object) & (SIZE - 1);
  }

  private static boolean isMine(Object there, Object object) {
    return there instanceof ThinLock thin
        && thin.object == object
        && thin.thread == Thread.currentThread();
  }

  static void enter(Object object) {
    int slot = slot(object);
    Object there = SLOTS.get(slot);
    if (there == null) {
      if (SLOTS.compareAndSet(slot, null, new ThinLock(object, Thread.currentThread()))) {
        return;
      }
    } else if (isMine(there, object)) {
      ((ThinLock) there).again++;
      return;
    }
    enterBucket(object, slot);
  }

  private static void enterBucket(Object object, int slot) {
    while (true) {
      Bucket bucket = bucket(slot);
      if (bucket == null) {
        if (SLOTS.compareAndSet(slot, null, new ThinLock(object, Thread.currentThread()))) {
          return;
        }
        continue;
      }
      CanonicalLock lock;
      synchronized (bucket) {
        if (bucket.isEmpty()) {
          continue;
        }
        lock = bucket.find(object);
        if (lock == null) {
          bucket.add(new CanonicalLock(object));
          return;
        }
        if (lock.isMine()) {
          lock.enterAgain();
          return;
        }
        lock.users++;
      }
      try {
        lock.enter();
        return;
      } catch (Throwable e) {
        abandon(lock, bucket, slot);
        throw e;
      }
    }
  }

  /** What is in the slot, as a bucket; null if nothing is. */
  private static Bucket bucket(int slot) {
    while (true) {
      Object there = SLOTS.get(slot);
      if (!(there instanceof ThinLock thin)) {
        return (Bucket) there;
      }
      // The thread that holds it finds out when it leaves, because its compare-and-set fails.
      Bucket bucket = new Bucket(new CanonicalLock(thin));
      if (SLOTS.compareAndSet(slot, thin, bucket)) {
        return bucket;
      }
    }
  }

  /** For a thread that does not hold the lock, but was counted. */
  private static void abandon(CanonicalLock lock, Bucket bucket, int slot) {
    synchronized (bucket) {
      leave(lock, bucket, slot);
    }
  }

  /** Whether others still use the lock; if nobody does, it is gone. */
  private static boolean leave(CanonicalLock lock, Bucket bucket, int slot) {
    if (--lock.users > 0) {
      return true;
    }
    bucket.remove(lock);
    if (bucket.isEmpty()) {
      SLOTS.set(slot, null);
    }
    return false;
  }

  static void exit(Object object) {
    int slot = slot(object);
    Object there = SLOTS.get(slot);
    if (isMine(there, object)) {
      ThinLock thin = (ThinLock) there;
      if (thin.again > 0) {
        thin.again--;
        return;
      }
      if (SLOTS.compareAndSet(slot, thin, null)) {
        return;
      }
    }
    exitBucket(object, slot);
  }

  private static void exitBucket(Object object, int slot) {
    CanonicalLock lock = null;
    if (SLOTS.get(slot) instanceof Bucket bucket) {
      synchronized (bucket) {
        lock = bucket.find(object);
        if (lock != null && lock.isMine() && (lock.exitAgain() || !leave(lock, bucket, slot))) {
          return;
        }
      }
    }
    if (lock == null || !lock.isMine()) {
      throw new IllegalMonitorStateException("current thread is not owner");
    }
    // Outside, because it wakes a thread, and then runs much of the JDK.
    lock.exit();
  }

  /** Whether the current thread holds the object's lock. */
  static boolean isHeld(Object object) {
    int slot = slot(object);
    return isMine(SLOTS.get(slot), object) || inBucket(object, slot) != null;
  }

  /** The object's lock, if the current thread holds it and others may wait on it. */
  static CanonicalLock waitedOn(Object object) {
    return inBucket(object, slot(object));
  }

  /** The object's lock, if the current thread holds it, to wait on. */
  static CanonicalLock toWaitOn(Object object) {
    int slot = slot(object);
    if (isMine(SLOTS.get(slot), object)) {
      bucket(slot);
    }
    return inBucket(object, slot);
  }

  private static CanonicalLock inBucket(Object object, int slot) {
    if (SLOTS.get(slot) instanceof Bucket bucket) {
      synchronized (bucket) {
        CanonicalLock lock = bucket.find(object);
        return lock != null && lock.isMine() ? lock : null;
      }
    }
    return null;
  }
}
