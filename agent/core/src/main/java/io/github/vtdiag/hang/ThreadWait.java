package io.github.vtdiag.hang;

import java.util.Optional;

/** What a thread is doing when it does not run. */
public sealed interface ThreadWait {

  /**
   * It waits for nothing: it runs, or could if it had a carrier.
   *
   * @param stays whether it is known not to have left its carrier since the look before
   * @param loop the loop in which it waits for another thread, if it is known to
   */
  record Nothing(boolean stays, Optional<BusyWait> loop) implements ThreadWait {
    public Nothing() {
      this(false);
    }

    public Nothing(boolean stays) {
      this(stays, Optional.empty());
    }
  }

  /** It waits to enter a {@code synchronized}. */
  record MonitorEntry(LockRef lock) implements ThreadWait {}

  /** It waits to be notified. */
  record ObjectWait(LockRef lock, boolean timed) implements ThreadWait {}

  /**
   * It is parked.
   *
   * @param blocker the lock, condition or future it says it waits for
   * @param holder who has that lock
   */
  record Park(Optional<LockRef> blocker, LockHolder holder, boolean timed) implements ThreadWait {}

  /**
   * It waits until another thread has initialized a class.
   *
   * @param className the class, with dots; empty if that is not known
   */
  record ClassInitialization(String className) implements ThreadWait {}

  /** It is in native code, which may wait for anything. */
  record NativeCode() implements ThreadWait {}

  record Sleep() implements ThreadWait {}

  /** It waits, or does not: this Java, or this dump, does not tell. */
  record NotKnown() implements ThreadWait {}

  /** The object it waits for, if it says so. */
  default Optional<LockRef> object() {
    return switch (this) {
      case MonitorEntry entry -> Optional.of(entry.lock);
      case ObjectWait wait -> Optional.of(wait.lock);
      case Park park -> park.blocker;
      case Nothing nothing -> Optional.empty();
      case ClassInitialization initialization -> Optional.empty();
      case NativeCode code -> Optional.empty();
      case Sleep sleep -> Optional.empty();
      case NotKnown unknown -> Optional.empty();
    };
  }

  /** Whether it ends by itself when its time is up. */
  default boolean isTimed() {
    return switch (this) {
      case ObjectWait wait -> wait.timed;
      case Park park -> park.timed;
      case Sleep sleep -> true;
      case Nothing nothing -> false;
      case MonitorEntry entry -> false;
      case ClassInitialization initialization -> false;
      case NativeCode code -> false;
      case NotKnown unknown -> false;
    };
  }
}
