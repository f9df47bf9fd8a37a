package io.github.vtdiag.boot;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The locks of objects, by identity; each exists as long as a thread holds it or waits for it. They
 * are created anew for each enter, because weak references cost a hundred times as much. The table
 * is an array, because the locking in {@code java.util.concurrent}'s maps may be rewritten too.
 *
 * <p>A slot is empty, or has the {@link ThinLock} of the one object that is locked here. Then
 * entering and leaving is a compare-and-set each, as with a monitor. If a second thread wants that
 * lock, or another object wants this slot, the slot gets a {@link Bucket}. It keeps the bucket
 * until none of the bucket's locks is used.
 */
@SuppressWarnings("ReferenceEquality") // Monitors go by identity.
final class LockTable {
  /** A power of two: hundreds of locks may be held at a time, mostly without a bucket. */
  private static final int SIZE = 1 << 14;

  private static final AtomicReferenceArray<Object> SLOTS = new AtomicReferenceArray<>(SIZE);

  private LockTable() {}

  /**
   * The locks of objects that share a slot. They are guarded by the bucket's monitor and not by a
   * lock: releasing an object's lock must not park, which a full stack may forbid. While the
   * monitor is held, nothing is called that could park or come back here.
   */
  private static final class Bucket {
    private CanonicalLock first;

    Bucket(CanonicalLock first) {
      this.first = first;
    }

    /** Returns whether it has no lock; then it is no longer in the table. */
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

  /** Returns the content of the slot, as a bucket; null if the slot is empty. */
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

  /** Gives up a lock for a thread that does not hold it, but was counted. */
  private static void abandon(CanonicalLock lock, Bucket bucket, int slot) {
    synchronized (bucket) {
      leave(lock, bucket, slot);
    }
  }

  /** Ends one use of a lock, and returns whether it has others; if it has none, it is removed. */
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

  /** Returns whether the current thread holds the object's lock. */
  static boolean isHeld(Object object) {
    int slot = slot(object);
    return isMine(SLOTS.get(slot), object) || inBucket(object, slot) != null;
  }

  /** Returns the object's lock, if the current thread holds it and others may wait on it. */
  static CanonicalLock waitedOn(Object object) {
    return inBucket(object, slot(object));
  }

  /** Returns the object's lock, if the current thread holds it, to wait on. */
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
