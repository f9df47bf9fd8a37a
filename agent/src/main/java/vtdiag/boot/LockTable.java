package vtdiag.boot;

/**
 * The locks of objects that cannot carry one, by identity; each exists as long as a thread holds it
 * or waits for it. Counted, because weak references cost a hundred times as much; chained by hand,
 * because what {@code java.util.concurrent}'s maps lock may be rewritten too. A bucket is guarded
 * by its monitor, not by a lock: releasing an object's lock must not park, which a full stack may
 * forbid. While it is held, nothing is called that could park or come back here.
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

  private static final class Bucket {
    private CanonicalLock first;

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
    synchronized (bucket) {
      CanonicalLock lock = bucket.find(object);
      if (lock == null) {
        lock = new CanonicalLock(object);
        lock.next = bucket.first;
        bucket.first = lock;
      }
      lock.users++;
      return lock;
    }
  }

  /** Takes back an {@link #acquire}; the current thread does not hold the lock for it. */
  static void abandon(CanonicalLock lock) {
    Bucket bucket = bucket(lock.owner);
    synchronized (bucket) {
      if (--lock.users == 0) {
        bucket.remove(lock);
      }
    }
  }

  /** Releases the object's lock. */
  static void exit(Object object) {
    Bucket bucket = bucket(object);
    CanonicalLock lock;
    synchronized (bucket) {
      lock = bucket.find(object);
      if (lock == null) {
        throw new IllegalMonitorStateException("current thread is not owner");
      }
      if (lock.users == 1) {
        lock.unlock();
        lock.users = 0;
        bucket.remove(lock);
        return;
      }
    }
    // Outside, because it may wake a thread, and then runs much of the JDK.
    lock.unlock();
    abandon(lock);
  }

  /** The object's lock if any thread uses it, or null. */
  static CanonicalLock find(Object object) {
    Bucket bucket = bucket(object);
    synchronized (bucket) {
      return bucket.find(object);
    }
  }

  /** Gives the object the lock that it carries from now on, unless another thread just did. */
  static CanonicalLock attach(Monitored object) {
    Bucket bucket = bucket(object);
    synchronized (bucket) {
      CanonicalLock lock = object.vtdiag$lock();
      if (lock == null || lock.owner != object) {
        lock = new CanonicalLock(object);
        object.vtdiag$lock(lock);
      }
      return lock;
    }
  }
}
