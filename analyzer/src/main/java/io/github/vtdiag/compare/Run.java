package io.github.vtdiag.compare;

import io.github.vtdiag.analysis.Findings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The results of one run of one side.
 *
 * @param measured one for each measure, in the plan's order
 * @param pins empty if nothing was recorded, or the recording cannot be read
 * @param peak empty where the system does not tell
 * @param peakHeapBytes the most heap that was in use; empty if the recording does not tell
 */
public record Run(
    Side side,
    List<Measured> measured,
    Optional<Pins> pins,
    Optional<Peak> peak,
    OptionalLong peakHeapBytes) {

  public Run {
    measured = List.copyOf(measured);
  }

  /** Returns one measure of the run. */
  public Measured measured(String name) {
    return measured.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * One measure of the run.
   *
   * @param name of the measure in the plan
   * @param rate operations or good answers
   * @param requests figures that only requests have; empty if it was measured otherwise
   */
  public record Measured(String name, Rate rate, Optional<Requests> requests) {}

  /**
   * The requests of the measured time.
   *
   * @param sent the number that was due
   * @param errors the number of them that were answered badly or broke off
   * @param unanswered the number of them without an answer when waiting ended
   * @param latency from when a request was due to its good answer; empty if none was due, because
   *     all users waited all the time
   */
  public record Requests(long sent, long errors, long unanswered, Optional<Latency> latency) {}

  /**
   * The pins of the measured time.
   *
   * @param java the version that ran; empty if it is not known
   * @param count the number of pins
   * @param nanos their total time
   * @param capacityNanos all carrier time; 0 if it is not known
   */
  public record Pins(String java, long count, long nanos, long capacityNanos) {
    static Pins of(Findings findings) {
      return new Pins(
          findings.recordings().isEmpty() ? "" : findings.recordings().getFirst().jdkVersion(),
          findings.cost().count(),
          findings.cost().totalNanos(),
          findings.capacity().map(Findings.Capacity::nanos).orElse(0L));
    }
  }
}
