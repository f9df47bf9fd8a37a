package vtdiag.boot;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The locks of objects that cannot carry one, by identity; each is there while threads are in it or
 * wait for it. Counted, because weak references cost a hundred times as much; chained by hand,
 * because what {@code java.util.concurrent}'s maps lock may be rewritten too.
 */
@SuppressWarnings("ReferenceEquality") // Identity is what a monitor goes by.
final class LockTable {
  private static final Bucket[] BUCKETS = new Bucket[1024];

  static {
    for (int i = 0; i < BUCKETS.length; i++) {
      BUCKETS[i] = new Bucket();
    }
  }

  private LockTable() {}

  private static final class Bucket extends ReentrantLock {
    private static final long serialVersionUID = 1L;

    private transient CanonicalLock first;

    CanonicalLock find(Object object) {
      CanonicalLock lock = first;
      while (lock != null && lock.owner != object) {
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

  private static Bucket bucket(Object object) {
    int hash = System.identityHashCode(object);
    return BUCKETS[(hash ^ (hash >>> 10)) & (BUCKETS.length - 1)];
  }

  /** The lock of the object, counted as used until {@link #exit} or {@link #abandon}. */
  static CanonicalLock acquire(Object object) {
    Bucket bucket = bucket(object);
    bucket.lock();
    try {
      CanonicalLock lock = bucket.find(object);
      if (lock == null) {
        lock = new CanonicalLock(object);
        lock.next = bucket.first;
        bucket.first = lock;
      }
      lock.users++;
      return lock;
    } finally {
      bucket.unlock();
    }
  }

  /** Takes back an {@link #acquire} that was not followed by holding the lock. */
  static void abandon(CanonicalLock lock) {
    Bucket bucket = bucket(lock.owner);
    bucket.lock();
    try {
      if (--lock.users == 0) {
        bucket.remove(lock);
      }
    } finally {
      bucket.unlock();
    }
  }

  /** Leaves the object's lock. */
  static void exit(Object object) {
    Bucket bucket = bucket(object);
    bucket.lock();
    try {
      CanonicalLock lock = bucket.find(object);
      if (lock == null) {
        throw new IllegalMonitorStateException("current thread is not owner");
      }
      lock.exit();
      if (--lock.users == 0) {
        bucket.remove(lock);
      }
    } finally {
      bucket.unlock();
    }
  }

  /** The object's lock if any thread uses it, or null. */
  static CanonicalLock find(Object object) {
    Bucket bucket = bucket(object);
    bucket.lock();
    try {
      return bucket.find(object);
    } finally {
      bucket.unlock();
    }
  }

  /** Gives the object the lock that it carries from now on, unless another thread just did. */
  static CanonicalLock attach(Monitored object) {
    Bucket bucket = bucket(object);
    bucket.lock();
    try {
      CanonicalLock lock = object.vtdiag$lock();
      if (lock == null || lock.owner != object) {
        lock = new CanonicalLock(object);
        object.vtdiag$lock(lock);
      }
      return lock;
    } finally {
      bucket.unlock();
    }
  }
}
