package io.github.vtdiag.verdict;

import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.analysis.OtherFinding;
import java.util.Optional;
import java.util.Set;

/**
 * What limited the program.
 *
 * @param kind which of the answers it is
 * @param carriers whether carriers were the limit
 * @param sure whether it was seen that virtual threads waited for a carrier; without that, kept
 *     carriers are only likely to have been the limit
 * @param part the part of the carriers' time that the answer is about: for a limit of the carriers
 *     of the time in which threads waited for one, else of all of it
 * @param other what was the limit, if it is one of the findings that are no pins
 * @param culprit of {@link Kind#PINNED}, if it is sure, what pinned the carriers for most of the
 *     pinned time; empty if there is no such one thing
 * @param why of {@link Kind#NOT_KNOWN}, what was not recorded
 */
public record Conclusion(
    Kind kind,
    boolean carriers,
    boolean sure,
    double part,
    Optional<OtherFinding> other,
    Optional<Culprit> culprit,
    Set<Missing> why) {

  /** The answers; each has a section in {@code docs/verdicts.md}. */
  public enum Kind {
    /** The program hung. */
    HUNG,
    /** Waiting threads could not leave their carriers. */
    PINNED(true),
    /** Threads that computed kept their carriers. */
    COMPUTATION(true),
    /** Threads that read and wrote files kept their carriers. */
    FILE_IO(true),
    /** Threads in native code kept their carriers. */
    NATIVE_CODE(true),
    /** Threads waited for one of the objects of a pool. */
    POOL,
    /** Threads waited for a permit. */
    SEMAPHORE,
    /** Threads waited for a lock or to enter a monitor, without keeping their carriers. */
    LOCK,
    /** Threads waited for room in a queue. */
    FULL_QUEUE,
    /** Threads waited for another thread's word or result. */
    OTHER_THREADS,
    /** Threads waited for answers from the network. */
    REMOTE_ANSWERS,
    /** A pool of virtual threads was the limit. */
    POOLED_THREADS,
    /** Each thread made what was meant to be shared. */
    THREAD_LOCAL_CACHE,
    /** More threads were started than ended. */
    NO_BACKPRESSURE,
    /** The scheduler did not take threads, which then never began or never went on. */
    SUBMIT_FAILED,
    /** Carriers were not the limit, though pins took some of their time. */
    SOME_PINS,
    /** Carriers were not the limit, and nothing else was found. */
    NOTHING_TO_CHANGE,
    /** The recordings do not tell. */
    NOT_KNOWN;

    private final boolean keepsCarriers;

    Kind() {
      this(false);
    }

    Kind(boolean keepsCarriers) {
      this.keepsCarriers = keepsCarriers;
    }

    /** Whether it is something that keeps carriers. */
    public boolean keepsCarriers() {
      return keepsCarriers;
    }
  }

  public Conclusion {
    why = Set.copyOf(why);
  }

  static Conclusion limit(Kind kind, boolean sure, double part, Optional<Culprit> culprit) {
    return new Conclusion(kind, true, sure, part, Optional.empty(), culprit, Set.of());
  }

  static Conclusion limit(Kind kind, OtherFinding other, boolean sure, double part) {
    return new Conclusion(kind, false, sure, part, Optional.of(other), Optional.empty(), Set.of());
  }

  static Conclusion noLimit(Kind kind, double part) {
    return new Conclusion(kind, false, true, part, Optional.empty(), Optional.empty(), Set.of());
  }

  static Conclusion notKnown(double part, Set<Missing> why) {
    return new Conclusion(
        Kind.NOT_KNOWN, false, false, part, Optional.empty(), Optional.empty(), why);
  }
}
