package io.github.vtdiag.analysis;

import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.SeenHang;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Anything that a report says about a run. */
public sealed interface Finding {

  /** Returns the kind: title, page, name in JSON. */
  FindingKind kind();

  /**
   * The pins that have one primary cause in common: the innermost of their causes.
   *
   * @param site what they are grouped by
   * @param cause the cause of one of them
   * @param frame the frame of that cause; empty if the cause is not a frame of its stack
   * @param owner the owner of the site's code
   * @param caller for a site in the JDK, the frame that called into it and the owner of its code
   * @param cost what they cost
   * @param unended the number of pins that had not ended when the recording did: they count with
   *     their length so far
   * @param shareOfPinned their part of all pinned time, 0 to 1
   * @param shareOfCapacity their part of all carrier time, 0 to 1; empty if that is not known
   * @param threads the number of pinned threads
   * @param activeNanos the time from the start of the first to the end of the last
   * @param operations what the threads waited for, the most frequent first
   * @param alsoHeld the further causes on their stacks, the most frequent first, then the
   *     innermost: each must go too, or its pins stay
   * @param confidence for a monitor, the certainty that the frame holds it, with the number of pins
   *     for each
   * @param lockObjects the locked objects, as sampled; empty if no pin was sampled
   * @param overlap the pins and threads at a time; empty if they pinned little, and for several
   *     recordings
   * @param reachedFrom the places in the application's code that led there, the most frequent
   *     first; empty if none of it is on the stacks
   * @param stack the stack of the pins which cost most together
   */
  record Pin(
      Site site,
      PinCause cause,
      Optional<Frame> frame,
      Owner owner,
      Optional<Caller> caller,
      Cost cost,
      long unended,
      double shareOfPinned,
      OptionalDouble shareOfCapacity,
      int threads,
      long activeNanos,
      List<OperationCount> operations,
      List<AlsoHeld> alsoHeld,
      Map<Confidence, Long> confidence,
      Optional<LockObjects> lockObjects,
      Optional<Overlap> overlap,
      List<ReachedFrom> reachedFrom,
      StackTrace stack)
      implements Finding {

    /** The frame that called into the JDK, and the owner of its code. */
    public record Caller(Frame frame, Owner owner) {}

    /** An operation and the number of pins that waited for it. */
    public record OperationCount(BlockingOperation operation, long count) {}

    /** A further cause and the number of the pins' stacks that have it. */
    public record AlsoHeld(Site site, PinCause cause, Owner owner, long count) {}

    /**
     * A frame of the application and the number of the pins' stacks of which it is the innermost
     * one.
     *
     * @param frame one of the calls, if there are several on one line
     */
    public record ReachedFrom(Frame frame, long count) {}

    public Pin {
      operations = List.copyOf(operations);
      alsoHeld = List.copyOf(alsoHeld);
      confidence = Map.copyOf(confidence);
      reachedFrom = List.copyOf(reachedFrom);
    }

    /**
     * Returns the name in all reports: the site or, if that is in the JDK, the method that called
     * it. A wait for the initialization of a class has the class, whoever needs it.
     */
    public String title() {
      return isClass()
          ? site.name()
          : caller.map(c -> c.frame().qualifiedMethod()).orElseGet(site::name);
    }

    /** Returns whether the site is a class that is initialized, and not a method. */
    public boolean isClass() {
      return site.kind().isInitialization() && !site.className().isEmpty();
    }

    /**
     * Returns the monitor that an {@code Object.wait} has released, if it is known which of those
     * on the stack that is: the only one, or the innermost whose class it may be.
     */
    public Optional<AlsoHeld> releasedLock() {
      if (!(cause instanceof PinCause.ObjectWait wait)) {
        return Optional.empty();
      }
      List<AlsoHeld> held =
          alsoHeld.stream()
              .filter(also -> also.cause() instanceof PinCause.HeldMonitor)
              .filter(also -> also.count() == cost.count())
              .toList();
      return held.size() == 1
          ? Optional.of(held.getFirst())
          : held.stream().filter(also -> isOfClass(also, wait.lockClass())).findFirst();
    }

    /** Returns whether a monitor is that of an object of a class, as its expression shows. */
    private static boolean isOfClass(AlsoHeld also, String lockClass) {
      LockExpression lock = ((PinCause.HeldMonitor) also.cause()).site().region().lock();
      return switch (lock.kind()) {
        case THIS -> also.site().className().equals(lockClass);
        case NEW_OBJECT -> lock.owner().equals(lockClass);
        case CLASS_LITERAL -> lockClass.equals("java.lang.Class");
        case INSTANCE_FIELD,
            OTHER_FIELD,
            STATIC_FIELD,
            PARAMETER,
            LOCAL,
            CALL_RESULT,
            ARRAY_ELEMENT,
            UNKNOWN ->
            false;
      };
    }

    @Override
    public PinKind kind() {
      return site.kind();
    }

    /** Returns the frame to look at. */
    public Optional<Frame> place() {
      return caller.map(Caller::frame).or(() -> frame);
    }

    public long total() {
      return cost.totalNanos();
    }

    public long longest() {
      return cost.longestNanos();
    }

    public long count() {
      return cost.count();
    }
  }

  /** A wait or misuse: a finding about virtual threads that is not a pin. */
  sealed interface Behavior extends Finding {
    @Override
    BehaviorKind kind();

    /** Returns the observation behind it. */
    Observation seen();

    /** Returns what to do about it, in a sentence or two. */
    default String advice() {
      return seen().limits() ? kind().advice(seen()) : kind().adviceWithoutLimit();
    }
  }

  /** Virtual threads wait for something, without a carrier. */
  record Wait(BehaviorKind.OfWait kind, Observation seen) implements Behavior {}

  /** Virtual threads are used for something that they are not made for. */
  record Misuse(BehaviorKind kind, Observation seen) implements Behavior {}

  /**
   * The program stood still.
   *
   * @param recording the source of the recording that shows it
   */
  record Hang(String recording, SeenHang seen) implements Finding {
    @Override
    public HangKind kind() {
      return HangKind.HANG;
    }

    /**
     * Returns whether the hang still lasted when the recording ended; otherwise it left pins and
     * waits.
     */
    public boolean isOngoing() {
      return seen.isOngoing();
    }

    /** Returns the conclusion in one sentence, in the agent's words. */
    public String verdict() {
      return seen.lines().getFirst();
    }

    /** Returns the evidence, and what ends the hang, one line an entry. */
    public List<String> evidence() {
      return seen.lines().stream().skip(1).map(String::strip).toList();
    }
  }
}
