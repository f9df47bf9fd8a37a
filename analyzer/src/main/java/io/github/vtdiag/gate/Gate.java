package io.github.vtdiag.gate;

import io.github.vtdiag.analysis.Finding.Hang;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Grouping;
import io.github.vtdiag.gate.Policy.Limit;
import io.github.vtdiag.gate.Verdict.Basis;
import io.github.vtdiag.gate.Verdict.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides whether findings keep a policy. A violation that is seen is a FAIL, whatever else is
 * missing, and so is a hang that the agent saw and nobody allowed, a finding that is new or worse
 * than the baseline has it, and an allowance that has expired. Where none is seen, PASS needs
 * recordings that would have shown one: {@link GapRule} says what each of the things that they do
 * not show means. Besides, pins that may be the owner's whose limit they would break, a baseline
 * that was made under other conditions, and what a limited {@link Measure} needs and the recordings
 * do not tell are NO_DATA.
 */
public final class Gate {
  static final String MAY_WAIT = "; if it may wait that long, say so with --max-stall";

  private Gate() {}

  /**
   * Why recordings prove nothing, one sentence each, where only what they cannot tell is known of
   * them.
   */
  public static List<String> unproven(List<Gap> gaps, Policy policy) {
    return GapRule.sentences(
        GapRule.Effect.NO_PROOF, Grouping.of(List.of()).withGaps(gaps), policy);
  }

  public static Verdict judge(Findings findings, Policy policy) {
    Counting counting = new Counting(findings, policy);
    List<Check> checks = counting.checks();
    Basis basis = counting.basis();
    List<String> unproven = new ArrayList<>(counting.unproven());
    List<String> warnings = new ArrayList<>(counting.warnings());
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
        // One that has ended is in the recording as pins, whose length the limits are about.
        warnings.add(sentence);
      } else if (!hang.seen().kind().isCertain()) {
        // Whether it would have ended, nobody knows.
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
      return new Verdict.Fail(checks, hangs, basis, warnings);
    }
    if (unproven.isEmpty()) {
      return new Verdict.Pass(checks, basis, warnings);
    }
    if (policy.evidence().allowNoData()) {
      warnings.addAll(unproven);
      return new Verdict.Pass(checks, basis, warnings);
    }
    return new Verdict.NoData(checks, unproven, basis, warnings);
  }
}
