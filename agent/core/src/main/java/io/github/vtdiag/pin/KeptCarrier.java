package io.github.vtdiag.pin;

import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import java.util.Optional;

/**
 * A virtual thread that waited without leaving its carrier, as the agent's watch saw it at one
 * moment. The watch tells of one wait several times: as it grows, and when it has ended.
 *
 * @param number which wait it is: what is told of one has the same
 * @param thread the virtual thread; the carrier if it carries none and waits itself
 * @param carrier the carrier that it kept
 * @param startNanos when the wait began, in nanoseconds since the epoch, as far as the watch saw it
 * @param nanos how long it had lasted by then, without the time in which the watch could not look
 * @param ended whether it was over
 * @param kind what the thread waited for
 * @param lockClass the class of the object that it waited for, or of a {@link
 *     Kind#CLASS_INITIALIZATION} the class; empty if not known
 * @param lockIdentity the identity hash of that object; 0 if not known
 * @param owner the thread that owned the object; its id is -1 if there was none, or it is not known
 * @param stack the stack; its descriptors are empty and its bcis -1 where no class bytes told them
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

  /** The field of the JDK's event of a pin that names the same (JDK 24+). */
  public static final String OF_PIN = "carrierThread";

  /** What a thread can wait for without leaving its carrier. */
  public enum Kind {
    /** {@code LockSupport.park}, which is where locks, queues, sockets and sleep wait. */
    PARK,
    MONITOR_ENTRY,
    OBJECT_WAIT,
    CLASS_INITIALIZATION,
    /** A call into native code that uses no processor. */
    NATIVE
  }

  /** Whether the carrier itself waits, with no virtual thread on it. */
  public boolean isOfCarrierItself() {
    return thread.id() == carrier.id();
  }

  /** The same with its stack, and the class that this tells. */
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

  /** The wait as far as it went, as the event says it that JFR writes when such a wait ends. */
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
