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
 * A sample of a JVM.
 *
 * @param atMillis when, since the epoch
 * @param parallelism the scheduler's target number of carriers, if it is known
 * @param carriers those it has; empty as long as none of them carried anything in a sample
 * @param seen what the carriers did in the last seconds; empty in the first sample
 * @param queue the number of virtual threads that waited for a carrier, in this sample and those
 *     before, the oldest first
 * @param hangs those that vtdiag's agent reports, if it is in the JVM
 * @param recorded where the time of the last seconds went
 */
public record TopSample(
    TargetJvm target,
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

  /** Returns the number of virtual threads that wait for a carrier, if it is known. */
  public OptionalLong queued() {
    return queue.isEmpty() ? OptionalLong.empty() : queue.getLast();
  }

  /**
   * The activity of the carriers by sampling, as parts of their time. In the rest they were idle,
   * or occupied for less than the time between two samples.
   *
   * @param processor they were on a processor
   * @param ready they could have been, and got none
   * @param blocked they were occupied from one sample to the next by a thread that did not run
   */
  public record Seen(double processor, double ready, double blocked) {}

  /**
   * A carrier.
   *
   * @param busy the part of the time since the previous sample in which it used a processor
   */
  public record CarrierRow(
      long id, String name, State state, OptionalDouble busy, Optional<Carrying> carrying) {

    /**
     * Returns the same where the recording has pins. A carrier that has another thread in each
     * sample, and hardly uses a processor, is occupied by one pin after another.
     *
     * @param pinned the part of all carriers' time that pins took
     * @param ready the part in which they got no processor
     */
    public CarrierRow among(double pinned, double ready) {
      return state == State.RUNS && busy.isPresent() && 2 * (busy.getAsDouble() + ready) < pinned
          ? new CarrierRow(id, name, State.BLOCKED, busy, carrying)
          : this;
    }
  }

  /** The state of a carrier. */
  public enum State {
    /** It carries nothing. */
    IDLE,
    /** It carries a virtual thread; nothing more is known in the first sample. */
    CARRIES,
    /** It carries a virtual thread, and uses a processor, or could and gets none. */
    RUNS,
    /**
     * It is blocked, in one of three cases. It carries the same thread as in the previous sample,
     * which did not run since. It carries another one, and hardly ran while pins took the carriers'
     * time. It carries none, and waits itself for something other than work.
     */
    BLOCKED
  }

  /**
   * The virtual thread on a carrier.
   *
   * @param thread its id; that of the carrier if it carries none and waits itself
   * @param name empty if it has none, or it is not known
   * @param nanos how long it is there
   * @param exact whether it is certain that it has not left; else it was there in every sample
   *     since
   * @param where the innermost frame of it that is not the JDK's
   */
  public record Carrying(
      long thread, String name, long nanos, boolean exact, Optional<Frame> where) {}

  /**
   * The results of the recording.
   *
   * @param nanos the time that it covers; 0 as long as there is nothing
   * @param findings empty as long as there is nothing
   * @param agent whether vtdiag's agent is in the JVM
   * @param problem why it tells nothing, or less; empty if there is no problem
   */
  public record Recorded(long nanos, Optional<Findings> findings, boolean agent, String problem) {
    static final Recorded NOTHING = new Recorded(0, Optional.empty(), false, "");

    /** Returns the part of the carriers' time that pins took. */
    double pinned() {
      return findings.map(each -> each.account().part(Use.PINNED)).orElse(0.0);
    }
  }
}
