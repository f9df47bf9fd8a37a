package io.github.vtdiag.pin;

import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import java.util.Optional;

/**
 * A virtual thread that waits without unmounting, as the agent's watch saw it at one moment. The
 * watch records one wait several times: as it grows, and when it has ended.
 *
 * @param number the number of the wait, the same each time that it is recorded
 * @param thread the virtual thread; the carrier if it carries none and waits itself
 * @param carrier the carrier that the thread occupied
 * @param startNanos when the wait began, in nanoseconds since the epoch, as far as the watch saw it
 * @param nanos its length so far, without the time in which the watch could not run
 * @param ended whether it was over
 * @param kind what the thread waited for
 * @param lockClass the class of the awaited object, or the class of a {@link
 *     Kind#CLASS_INITIALIZATION}; empty if it is unknown
 * @param lockIdentity the identity hash of that object; 0 if it is unknown
 * @param owner the thread that owned the object; its id is -1 if there was none, or it is unknown
 * @param stack the stack; its descriptors are empty and its bcis -1 where no class bytes gave them
 */
public record KeptCarrier(
    long number,
    ThreadRef thread,
    ThreadRef carrier,
    long startNanos,
    long nanos,
    boolean ended,
    Kind kind,
    String lockClass,
    int lockIdentity,
    ThreadRef owner,
    StackTrace stack) {

  /** The field for the carrier in the JDK's event of a pin (JDK 24+). */
  public static final String OF_PIN = "carrierThread";

  /** The waits that can occupy a carrier. */
  public enum Kind {
    /** {@code LockSupport.park}, in which locks, queues, sockets and sleep wait. */
    PARK,
    MONITOR_ENTRY,
    OBJECT_WAIT,
    CLASS_INITIALIZATION,
    /** A call into native code that uses no processor. */
    NATIVE
  }

  /** Returns whether the carrier itself waits, with no virtual thread on it. */
  public boolean isOfCarrierItself() {
    return thread.id() == carrier.id();
  }

  /** Returns the same wait, as it goes on, after a time. */
  public KeptCarrier after(long moreNanos) {
    return new KeptCarrier(
        number,
        thread,
        carrier,
        startNanos,
        nanos + moreNanos,
        ended,
        kind,
        lockClass,
        lockIdentity,
        owner,
        stack);
  }

  /** Returns the same wait with its stack, and the class that the stack shows. */
  public KeptCarrier with(StackTrace itsStack, String itsLockClass) {
    return new KeptCarrier(
        number,
        thread,
        carrier,
        startNanos,
        nanos,
        ended,
        kind,
        itsLockClass,
        lockIdentity,
        owner,
        itsStack);
  }

  /** Returns the wait so far, as JFR's event for it would be when it ends. */
  public PinEpisode episode(int jdk) {
    boolean monitorsPin = jdk < JavaRelease.UNPINNED_MONITORS;
    Optional<String> reason = Optional.empty();
    Optional<String> operation = Optional.empty();
    Optional<String> lock =
        Optional.of(lockClass).filter(name -> !name.isEmpty() && kind != Kind.PARK);
    PinEpisode.Kind event =
        switch (kind) {
          case PARK -> PinEpisode.Kind.PINNED;
          case NATIVE -> PinEpisode.Kind.NATIVE;
          case MONITOR_ENTRY ->
              monitorsPin ? PinEpisode.Kind.MONITOR_ENTER : PinEpisode.Kind.PINNED;
          case OBJECT_WAIT -> monitorsPin ? PinEpisode.Kind.MONITOR_WAIT : PinEpisode.Kind.PINNED;
          case CLASS_INITIALIZATION ->
              monitorsPin ? PinEpisode.Kind.MONITOR_WAIT : PinEpisode.Kind.PINNED;
        };
    switch (kind) {
      case PARK, NATIVE -> {}
      case MONITOR_ENTRY -> operation = Optional.of(BlockingOperations.MONITOR_ENTRY);
      case OBJECT_WAIT -> operation = Optional.of(BlockingOperations.OBJECT_WAIT);
      case CLASS_INITIALIZATION -> {
        if (monitorsPin) {
          lock = Optional.of(ClassWaits.LOCK);
        } else {
          reason = Optional.of(PinnedReasons.awaiting(lockClass));
        }
      }
    }
    return new PinEpisode(
        event,
        startNanos,
        nanos,
        thread,
        stack,
        reason,
        monitorsPin ? Optional.empty() : operation,
        lock,
        ended);
  }
}
