package io.github.vtdiag.baseline;

import io.github.vtdiag.account.Account.CarrierQueue;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The totals of a run.
 *
 * @param blockedNanos the carrier time that all pins took together
 * @param queued the number of virtual threads that waited for a carrier, on average; empty if the
 *     recordings do not tell
 * @param work how often each method that the agent counted returned, and under the empty name how
 *     many threads were created; only what all recordings tell
 */
public record Totals(long blockedNanos, OptionalDouble queued, Map<String, Long> work) {
  /** The name under which {@link #work} has the threads. */
  public static final String THREADS = "";

  public Totals {
    work = Map.copyOf(work);
  }

  static Totals of(Findings findings) {
    List<RecordingFacts> all = findings.recordings();
    Map<String, Long> work = new HashMap<>();
    for (RecordingFacts facts : all) {
      facts.work().forEach((name, count) -> work.merge(name, count, Long::sum));
    }
    work.keySet().removeIf(name -> !all.stream().allMatch(f -> f.work().containsKey(name)));
    return new Totals(
        findings.cost().totalNanos(),
        findings.account().queue().stream().mapToDouble(CarrierQueue::mean).findFirst(),
        work);
  }
}
