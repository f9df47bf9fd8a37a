package io.github.vtdiag.live;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.attach.ToldHang;
import io.github.vtdiag.model.Frame;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A JVM as it was seen at one moment.
 *
 * @param number how often it was looked at, this time included
 * @param atMillis when, since the epoch
 * @param parallelism how many carriers its scheduler aims at, if that is known
 * @param carriers those it has; empty as long as none of them carried anything at a look
 * @param seen what the carriers did in the last seconds; empty at the first look
 * @param queue how many virtual threads waited for a carrier, at this look and those before, the
 *     oldest first
 * @param hangs those that vtdiag's agent tells, if it is in the JVM
 * @param recorded where the time of the last seconds went
 */
public record TopSample(
    TargetJvm target,
    long number,
    long atMillis,
    OptionalInt parallelism,
    List<CarrierRow> carriers,
    Optional<Seen> seen,
    List<OptionalLong> queue,
    List<ToldHang> hangs,
    Recorded recorded) {
  public TopSample {
    carriers = List.copyOf(carriers);
    queue = List.copyOf(queue);
    hangs = List.copyOf(hangs);
  }

  /** How many virtual threads wait for a carrier, if that is known. */
  public OptionalLong queued() {
    return queue.isEmpty() ? OptionalLong.empty() : queue.getLast();
  }

  /**
   * What the carriers did, by looking at them, as parts of their time. In the rest they were idle,
   * or kept for less than the time between two looks.
   *
   * @param processor they were on a processor
   * @param ready they could have been, and got none
   * @param blocked they were kept from one look to the next by a thread that did not run
   */
  public record Seen(double processor, double ready, double blocked) {}

  /**
   * A carrier.
   *
   * @param busy the part of the time since the look before in which it used a processor
   */
  public record CarrierRow(
      long id, String name, State state, OptionalDouble busy, Optional<Carrying> carrying) {

    /**
     * The same where the recording tells of pins. A carrier that has a thread on it at each look,
     * another one each time, and hardly uses a processor is kept by one pin after another.
     *
     * @param pinned the part of all carriers' time that pins took
     * @param ready that in which they got no processor
     */
    public CarrierRow among(double pinned, double ready) {
      return state == State.RUNS && busy.isPresent() && 2 * (busy.getAsDouble() + ready) < pinned
          ? new CarrierRow(id, name, State.BLOCKED, busy, carrying)
          : this;
    }
  }

  /** What a carrier does. */
  public enum State {
    /** It carries nothing. */
    IDLE,
    /** It carries a virtual thread; nothing more is known at the first look. */
    CARRIES,
    /** It carries one, and uses a processor, or could and gets none. */
    RUNS,
    /**
     * It carries the same one as at the look before, which did not run since; or another one, and
     * hardly ran while pins took the carriers' time; or it carries none, and waits itself for
     * something else than work.
     */
    BLOCKED
  }

  /**
   * The virtual thread on a carrier.
   *
   * @param thread its id; that of the carrier if it carries none and waits itself
   * @param name empty if it has none, or it is not known
   * @param nanos how long it is there
   * @param exact whether it was seen not to have left; else it was there at every look since
   * @param where the innermost frame of it that is not the JDK's
   */
  public record Carrying(
      long thread, String name, long nanos, boolean exact, Optional<Frame> where) {}

  /**
   * What the recording tells.
   *
   * @param nanos of how long; 0 as long as there is nothing
   * @param findings empty as long as there is nothing
   * @param agent whether vtdiag's agent is in the JVM
   * @param problem why it tells nothing, or less; empty if it does
   */
  public record Recorded(long nanos, Optional<Findings> findings, boolean agent, String problem) {
    static final Recorded NOTHING = new Recorded(0, Optional.empty(), false, "");

    /** The part of the carriers' time that pins took. */
    double pinned() {
      return findings.map(each -> each.account().part(Use.PINNED)).orElse(0.0);
    }
  }
}
