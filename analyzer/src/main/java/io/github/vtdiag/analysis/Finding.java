package io.github.vtdiag.analysis;

import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.program.Owner;
import io.github.vtdiag.recording.RecordingFacts;
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
     * Returns the method to look at: the site or, if that is in the JDK, the method that called it.
     */
    public String title() {
      return caller.map(c -> c.frame().qualifiedMethod()).orElseGet(site::name);
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
      return seen().limits()
          ? kind().advice(seen())
          : "No change needed: it did not limit the program.";
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
  record Hang(String recording, RecordingFacts.Hang seen) implements Finding {
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
      return seen.words().getFirst();
    }

    /** Returns the evidence, and what ends the hang, one line an entry. */
    public List<String> evidence() {
      return seen.words().stream().skip(1).map(String::strip).toList();
    }
  }
}
