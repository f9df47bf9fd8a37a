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

/** Anything that a report tells of a run. What all of one kind have in common is its row. */
public sealed interface Finding {

  /** The row of its kind: title, page, name in JSON. */
  FindingKind kind();

  /**
   * The pins that have one primary cause in common: the innermost of their causes.
   *
   * @param site what they are grouped by
   * @param cause the cause of one of them
   * @param frame where that one stood; empty where the cause is not a frame of its stack
   * @param owner whose code the site is
   * @param caller where the site is in the JDK, the frame that called into it, and whose code it is
   * @param cost what they cost
   * @param unended how many of them were not over when the recording ended: they count with their
   *     length so far
   * @param shareOfPinned their part of all pinned time, 0 to 1
   * @param shareOfCapacity their part of all carrier time, 0 to 1; empty if that is not known
   * @param threads how many threads they happened to
   * @param activeNanos the time from the start of the first to the end of the last
   * @param operations what the threads waited for, the most frequent first
   * @param alsoHeld the further causes on their stacks, the most frequent first, then the
   *     innermost: each must go too, or its pins stay
   * @param confidence for a monitor, how sure it is that the frame holds it, and for how many pins
   * @param lockObjects what sampling saw of the locked objects; empty if no pin was sampled
   * @param overlap how many there were at a time; empty for what pinned little, and for several
   *     recordings
   * @param reachedFrom where the application's code led there, the most frequent first; empty if
   *     none of it is on the stacks
   * @param stack that of the pins which cost most together
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

    /** The frame that called into the JDK, and whose code it is. */
    public record Caller(Frame frame, Owner owner) {}

    /** How many pins waited for an operation. */
    public record OperationCount(BlockingOperation operation, long count) {}

    /** A further cause, and on how many of the pins' stacks it was. */
    public record AlsoHeld(Site site, PinCause cause, Owner owner, long count) {}

    /**
     * A frame of the application, and on how many of the pins' stacks it is the innermost one.
     *
     * @param frame of several calls on one line, one
     */
    public record ReachedFrom(Frame frame, long count) {}

    public Pin {
      operations = List.copyOf(operations);
      alsoHeld = List.copyOf(alsoHeld);
      confidence = Map.copyOf(confidence);
      reachedFrom = List.copyOf(reachedFrom);
    }

    /** The method to look at: the site, or where that is in the JDK the method that called it. */
    public String title() {
      return caller.map(c -> c.frame().qualifiedMethod()).orElseGet(site::name);
    }

    @Override
    public PinKind kind() {
      return site.kind();
    }

    /** Where to look in it. */
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

  /** What virtual threads do besides pinning that is worth a finding. */
  sealed interface Behavior extends Finding {
    @Override
    BehaviorKind kind();

    /** What was seen of it. */
    Observation seen();

    /** What to do about it, in a sentence or two. */
    default String advice() {
      return seen().limits()
          ? kind().advice(seen())
          : "No change needed: it did not limit the program.";
    }
  }

  /** Virtual threads wait for something, without a carrier. */
  record Wait(BehaviorKind.OfWait kind, Observation seen) implements Behavior {}

  /** Virtual threads are used for what they are not made for. */
  record Misuse(BehaviorKind kind, Observation seen) implements Behavior {}

  /**
   * The program stood still.
   *
   * @param recording the source of the one that tells of it
   */
  record Hang(String recording, RecordingFacts.Hang seen) implements Finding {
    @Override
    public HangKind kind() {
      return HangKind.HANG;
    }

    /** Whether it still did when the recording ended; else it left pins and waits. */
    public boolean isOngoing() {
      return seen.isOngoing();
    }

    /** What it is, in the agent's words: the conclusion in one sentence. */
    public String verdict() {
      return seen.words().getFirst();
    }

    /** What was seen of it, and what ends it, a line each. */
    public List<String> evidence() {
      return seen.words().stream().skip(1).map(String::strip).toList();
    }
  }
}
