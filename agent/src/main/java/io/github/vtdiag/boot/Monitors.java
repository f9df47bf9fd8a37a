package io.github.vtdiag.boot;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The methods that rewritten classes call in place of monitor instructions. The lock depends on the
 * object alone: every rewritten site takes the same lock for the same object.
 *
 * <p>Waiting, notifying and {@code holdsLock} work on the lock if the current thread holds it.
 * Otherwise they work on the object's real monitor, which also throws what {@code Object} throws.
 * So they are right for objects whose monitor was kept, too.
 *
 * <p>Releasing a lock must not need more stack than taking it: taking it probes for more.
 */
@SuppressWarnings("ReferenceEquality") // Monitors go by identity.
public final class Monitors {
  /** Knows the classes whose objects the JDK's own code locks. */
  public static volatile Predicate<Class<?>> lockedByTheJdk = type -> false;

  /** Stops the program with a reason; does not return. */
  public static volatile Consumer<String> stop =
      reason -> {
        throw new IllegalStateException(reason);
      };

  /**
   * The thread that is moving the bins of {@code ConcurrentHashMap}; null if none is. Meanwhile no
   * other thread may take a bin's lock, because a thread may still be in its monitor.
   */
  public static volatile Thread binMover;

  private static final ClassValue<Boolean> LOCKED_BY_THE_JDK =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return lockedByTheJdk.test(type);
        }
      };

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  private Monitors() {}

  /** Replaces {@code monitorenter}. */
  public static void enter(Object object) {
    StackProbe.probe();
    if (keepsMonitor(Objects.requireNonNull(object))) {
      stop(object, "whose monitor the JDK's own code takes too, where only the lock can be taken");
    }
    LockTable.enter(object);
  }

  /**
   * Replaces {@code monitorenter} in {@code ConcurrentHashMap}, on which much of the JDK is built:
   * no code here may use such a map.
   */
  public static void enterBin(Object bin) {
    while (binMover != null && binMover != Thread.currentThread()) {
      Thread.onSpinWait();
    }
    StackProbe.probe();
    LockTable.enter(bin);
  }

  /** Replaces {@code monitorexit} in {@code ConcurrentHashMap}. */
  public static void exitBin(Object bin) {
    LockTable.exit(bin);
  }

  /** Replaces {@code monitorexit}. */
  public static void exit(Object object) {
    LockTable.exit(object);
  }

  /**
   * Returns whether the JDK's own code takes the monitor of this object too. Then rewritten code
   * must keep taking it: if it took a lock instead, both could enter.
   */
  public static boolean keepsMonitor(Object object) {
    if (object == null) {
      return false;
    }
    return object instanceof Class<?> type
        ? isOfTheJdk(type)
        : LOCKED_BY_THE_JDK.get(object.getClass());
  }

  /** Stops the program unless the monitor of this object is the one to take. */
  public static void requireMonitor(Object object) {
    if (object != null && !keepsMonitor(object)) {
      stop(object, "whose monitor was replaced with a lock, where only a monitor can be taken");
    }
  }

  private static void stop(Object object, String why) {
    stop.accept(
        "rewritten code locks "
            + (object instanceof Class<?> type
                ? type.getName() + ".class"
                : "an object of " + object.getClass().getName())
            + ", "
            + why);
  }

  private static boolean isOfTheJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == PLATFORM;
  }

  /** Replaces {@code object.wait()}. */
  public static void wait(Object object) throws InterruptedException {
    wait(object, 0);
  }

  /** Replaces {@code object.wait(millis)}. */
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  public static void wait(Object object, long millis) throws InterruptedException {
    StackProbe.probe();
    CanonicalLock lock = LockTable.toWaitOn(object);
    if (lock == null) {
      object.wait(millis);
    } else {
      lock.await(millis);
    }
  }

  /** Replaces {@code object.wait(millis, nanos)}, which rounds up to milliseconds. */
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  public static void wait(Object object, long millis, int nanos) throws InterruptedException {
    StackProbe.probe();
    CanonicalLock lock = LockTable.toWaitOn(object);
    if (lock == null) {
      object.wait(millis, nanos);
      return;
    }
    if (millis < 0) {
      throw new IllegalArgumentException("timeoutMillis value is negative");
    }
    if (nanos < 0 || nanos > 999_999) {
      throw new IllegalArgumentException("nanosecond timeout value out of range");
    }
    lock.await(nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis);
  }

  /** Replaces {@code unit.timedWait(object, timeout)}. */
  public static void timedWait(Object unit, Object object, long timeout)
      throws InterruptedException {
    TimeUnit of = (TimeUnit) unit;
    long millis = of.toMillis(timeout);
    if (timeout > 0) {
      wait(object, millis, (int) (of.toNanos(timeout) - TimeUnit.MILLISECONDS.toNanos(millis)));
    }
  }

  /** Replaces {@code object.notify()}. */
  @SuppressWarnings("NakedNotify") // The change of state is the caller's.
  public static void notify(Object object) {
    StackProbe.probe();
    CanonicalLock lock = LockTable.waitedOn(object);
    if (lock != null) {
      lock.signal();
    } else if (!LockTable.isHeld(object)) {
      object.notify();
    }
  }

  /** Replaces {@code object.notifyAll()}. */
  @SuppressWarnings("NakedNotify") // The change of state is the caller's.
  public static void notifyAll(Object object) {
    StackProbe.probe();
    CanonicalLock lock = LockTable.waitedOn(object);
    if (lock != null) {
      lock.signalAll();
    } else if (!LockTable.isHeld(object)) {
      object.notifyAll();
    }
  }

  /** Replaces {@code Thread.holdsLock(object)}. */
  public static boolean holdsLock(Object object) {
    return LockTable.isHeld(object) || Thread.holdsLock(object);
  }
}
