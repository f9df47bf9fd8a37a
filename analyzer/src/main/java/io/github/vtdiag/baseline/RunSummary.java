package io.github.vtdiag.baseline;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Identities;
import java.util.List;
import java.util.Optional;

/**
 * A summary of one run of a program, of which there may be several recordings.
 *
 * @param name for people: a file, or the number of recordings
 * @param totals of the whole run; empty of a baseline that does not tell
 * @param findings the pins by cause
 * @param others the other findings, such as what threads wait for, or a hang
 */
public record RunSummary(
    String name,
    Conditions conditions,
    Optional<Totals> totals,
    List<BaselinePin> findings,
    List<BaselineFinding> others) {
  public RunSummary {
    findings = List.copyOf(findings);
    others = List.copyOf(others);
  }

  /** Summarizes the findings of a run. */
  public static RunSummary of(String name, Findings findings) {
    Identities identities = Identities.of(findings);
    Conditions conditions = Conditions.of(findings);
    return new RunSummary(
        name,
        conditions,
        Optional.of(Totals.of(findings)),
        findings.pins().stream()
            .map(each -> new BaselinePin(identities.of(each), each.title(), each.cost()))
            .toList(),
        BaselineFinding.of(findings, conditions.durationNanos(), conditions.lookedNanos()));
  }
}
