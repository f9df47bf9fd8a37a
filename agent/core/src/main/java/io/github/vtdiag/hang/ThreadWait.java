package io.github.vtdiag.hang;

import java.util.Optional;
import java.util.OptionalInt;

/** The activity of a thread that does not run. */
public sealed interface ThreadWait {

  /**
   * No wait: the thread runs, or could run if it had a carrier.
   *
   * @param stays whether it is known not to have unmounted since the previous snapshot
   * @param loop the loop in which it waits for another thread, if it is known
   */
  record Nothing(boolean stays, Optional<BusyWait> loop) implements ThreadWait {
    public Nothing() {
      this(false);
    }

    public Nothing(boolean stays) {
      this(stays, Optional.empty());
    }
  }

  /** A wait to enter a {@code synchronized}. */
  record MonitorEntry(LockRef lock) implements ThreadWait {}

  /** A wait for a notification. */
  record ObjectWait(LockRef lock, boolean timed) implements ThreadWait {}

  /**
   * A wait by parking.
   *
   * @param blocker the lock, condition or future that it is parked for
   * @param holder the owner of that lock
   * @param ownPort the port that it asks, if this program itself listens there and no thread reads
   *     what was sent
   */
  record Park(Optional<LockRef> blocker, LockHolder holder, boolean timed, OptionalInt ownPort)
      implements ThreadWait {
    public Park(Optional<LockRef> blocker, LockHolder holder, boolean timed) {
      this(blocker, holder, timed, OptionalInt.empty());
    }

    /** Returns the same wait with what was found out later. */
    public Park at(int port) {
      return new Park(blocker, holder, timed, OptionalInt.of(port));
    }
  }

  /**
   * A wait until another thread has initialized a class.
   *
   * @param className the class, with dots; empty if it is unknown
   */
  record ClassInitialization(String className) implements ThreadWait {}

  /** A stay in native code, which may wait for anything. */
  record NativeCode() implements ThreadWait {}

  record Sleep() implements ThreadWait {}

  /** An unknown state: this JDK, or this dump, does not show whether the thread waits. */
  record NotKnown() implements ThreadWait {}

  /** Returns the object that it waits for, if it is known. */
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

  /** Returns whether it has a timeout. */
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
