package vtdiag.finding;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import vtdiag.recording.RecordingFacts;

/**
 * All that the recordings tell about pinning, and what they cannot tell.
 *
 * @param recordings the recordings
 * @param findings the pins by cause, the costliest first
 * @param cost what all pins cost together
 * @param threads how many threads were pinned
 * @param capacity the carrier time there was, if it is known
 * @param since24 what would become of the pinned time on JDK 24+; empty if that is what recorded
 * @param limits what the recordings cannot tell
 */
public record Findings(
    List<RecordingFacts> recordings,
    List<Finding> findings,
    Cost cost,
    int threads,
    Optional<Capacity> capacity,
    Optional<Since24> since24,
    List<Limit> limits) {

  /** Carrier time: parallelism times duration. */
  public record Capacity(long nanos) {}

  /**
   * The pinned time of JDK 21 to 23 by what becomes of it on JDK 24+ (JEP 491).
   *
   * @param goneNanos of pins all of whose causes are monitors
   * @param staysNanos of pins with a native frame or class initialization among their causes
   * @param unknownNanos of pins that are not explained
   */
  public record Since24(long goneNanos, long staysNanos, long unknownNanos) {}

  public Findings {
    recordings = List.copyOf(recordings);
    findings = List.copyOf(findings);
    limits = List.copyOf(limits);
  }

  /** The part of all carrier time that was pinned, 0 to 1. */
  public OptionalDouble shareOfCapacity() {
    return capacity.isPresent() && capacity.get().nanos() > 0
        ? OptionalDouble.of((double) cost.totalNanos() / capacity.get().nanos())
        : OptionalDouble.empty();
  }

  /** With more that could not be told. */
  public Findings withLimits(List<Limit> more) {
    return new Findings(
        recordings,
        findings,
        cost,
        threads,
        capacity,
        since24,
        Stream.concat(limits.stream(), more.stream()).toList());
  }

  public boolean has(Limit.Kind kind) {
    return limits.stream().anyMatch(limit -> limit.kind() == kind);
  }
}
