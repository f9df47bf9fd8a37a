package io.github.vtdiag.gate;

import io.github.vtdiag.analysis.Finding.Hang;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Grouping;
import io.github.vtdiag.gate.Policy.Limit;
import io.github.vtdiag.gate.Verdict.Basis;
import io.github.vtdiag.gate.Verdict.Check;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides whether findings keep a policy.
 *
 * <p>FAIL: a violation that was seen, whatever else is missing; a hang that the agent saw and
 * nobody allowed; a finding that is new or worse than in the baseline; an allowance that has
 * expired.
 *
 * <p>Where none is seen, PASS needs recordings that would have shown one: {@link GapRule} has the
 * effect of each gap. It is also NO_DATA if pins may belong to the owner whose limit they would
 * break. The same holds for a baseline that was made under other conditions, and for a limited
 * {@link Measure} that needs what the recordings do not tell.
 */
public final class Gate {
  static final String MAY_WAIT = "; if it may wait that long, say so with --max-stall";

  private Gate() {}

  /** Returns why recordings prove nothing, one sentence each, where only their gaps are known. */
  public static List<String> unproven(List<Gap> gaps, Policy policy) {
    return GapRule.sentences(
        GapRule.Effect.NO_PROOF, Grouping.of(List.of()).withGaps(gaps), policy);
  }

  public static Verdict judge(Findings findings, Policy policy) {
    Counting counting = new Counting(findings, policy);
    List<Check> checks = counting.checks();
    Basis basis = counting.basis();
    // Several limits may need what one recording does not show.
    Set<String> unproven = new LinkedHashSet<>(counting.unproven());
    Set<String> warnings = new LinkedHashSet<>(counting.warnings());
    unproven.addAll(GapRule.sentences(GapRule.Effect.NO_PROOF, findings, policy));
    warnings.addAll(GapRule.sentences(GapRule.Effect.WARNING, findings, policy));
    for (Limit limit : policy.limits()) {
      unproven.addAll(limit.measure().unseen().above(limit.value(), findings));
      warnings.addAll(limit.measure().unwatched().above(limit.value(), findings));
    }
    List<String> hangs = new ArrayList<>();
    for (Hang hang : findings.hangs()) {
      String sentence = hang.recording() + ": " + hang.verdict();
      if (!hang.isOngoing()) {
        // A hang that has ended is in the recording as pins, whose length has limits of its own.
        warnings.add(hang.recording() + ": stood still for a while: " + hang.verdict());
      } else if (!hang.seen().kind().isCertain()) {
        // It is unknown whether it would have ended.
        if (policy.mayStall()) {
          warnings.add(sentence);
        } else {
          unproven.add(sentence + MAY_WAIT);
        }
      } else if (!policy.evidence().allowHang()) {
        hangs.add(sentence);
      } else if (basis.isNew(hang)) {
        hangs.add(sentence + ", which is not in " + policy.baseline().orElseThrow().origin());
      } else {
        warnings.add(sentence);
      }
    }
    if (!hangs.isEmpty()
        || checks.stream().anyMatch(Check::broken)
        || !basis.holds()
        || !basis.expired().isEmpty()) {
      warnings.addAll(unproven);
      return new Verdict.Fail(checks, hangs, basis, List.copyOf(warnings));
    }
    if (unproven.isEmpty()) {
      return new Verdict.Pass(checks, basis, List.copyOf(warnings));
    }
    if (policy.evidence().allowNoData()) {
      warnings.addAll(unproven);
      return new Verdict.Pass(checks, basis, List.copyOf(warnings));
    }
    return new Verdict.NoData(checks, List.copyOf(unproven), basis, List.copyOf(warnings));
  }
}
