package vtdiag.measure;

import java.util.Optional;

/**
 * What one run of one side brought.
 *
 * @param perSecond operations or good answers a second
 * @param load what only a load tells; empty if the program told its operations itself
 * @param pins empty if nothing was recorded, or the recording cannot be read
 * @param peak empty where the system does not tell
 */
public record Run(
    Side side,
    double perSecond,
    Optional<Requests> load,
    Optional<Pins> pins,
    Optional<Peak> peak) {

  /**
   * The requests of the measured time.
   *
   * @param sent how many were due
   * @param errors how many of them were answered badly or broke off
   * @param unanswered how many had no answer when waiting ended
   * @param latency from when a request was due to its good answer
   */
  public record Requests(long sent, long errors, long unanswered, Latency latency) {}

  /**
   * What held carriers in the measured time.
   *
   * @param java the version that ran; empty if it is not known
   * @param count how many pins
   * @param nanos how long together
   * @param capacityNanos all carrier time; 0 if it is not known
   */
  public record Pins(String java, long count, long nanos, long capacityNanos) {}
}
