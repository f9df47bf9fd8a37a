package io.github.vtdiag.gate;

import io.github.vtdiag.gate.Policy.Baseline;
import io.github.vtdiag.gate.Policy.Evidence;
import io.github.vtdiag.gate.Policy.Limit;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** Policies that stand in no file. */
public final class Policies {
  private Policies() {}

  public static Policy of(List<Limit> limits, Evidence evidence) {
    return of(limits, List.of(), Optional.empty(), evidence, List.of(), LocalDate.EPOCH);
  }

  public static Policy of(
      List<Limit> limits,
      List<Allowance> allowances,
      Optional<Baseline> baseline,
      Evidence evidence,
      List<String> ignored,
      LocalDate today) {
    return new Policy(limits, allowances, baseline, evidence, ignored, today, Optional.empty());
  }
}
