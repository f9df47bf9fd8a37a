package io.github.vtdiag.gate;

import io.github.vtdiag.analysis.Finding.Hang;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.gate.Policy.Limit;
import io.github.vtdiag.gate.Verdict.Basis;
import io.github.vtdiag.gate.Verdict.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides whether findings keep a policy. A violation that is seen is a FAIL, whatever else is
 * missing, and so is a hang that the agent saw and nobody allowed, a finding that is new or worse
 * than the baseline has it, and an allowance that has expired. Where none is seen, PASS needs
 * recordings that would have shown one:
 *
 * <ul>
 *   <li>a recording made under a what-if: NO_DATA, because it is not of the application as it is;
 *   <li>the pinned event off, or not known to be on, or nothing of the time that was asked for:
 *       NO_DATA;
 *   <li>no watch that looked at the carriers: NO_DATA, unless the policy allows unwatched ones,
 *       because a pin that never ends is in no other event; and whatever the watch could not see or
 *       explain of a program that stood still;
 *   <li>threads that had waited for long at its end, for what nothing shows would have come,
 *       whether the agent told of them while they did or not: NO_DATA, unless the policy allows
 *       hangs or limits how long a wait may last;
 *   <li>a damaged recording, events lost, or one that ended before the program did, or lost its
 *       beginning: NO_DATA, unless the policy allows incomplete ones;
 *   <li>pins that may be the owner's whose limit they would break, and a baseline that was made
 *       under other conditions: NO_DATA;
 *   <li>what a limited {@link Measure} needs and the recordings do not tell: NO_DATA;
 *   <li>what makes its figure too small, as a threshold does, or monitor events that were off: a
 *       warning, because every usual recording has one; NO_DATA if the policy is strict.
 * </ul>
 */
public final class Gate {
  private static final String MAY_WAIT = "; if it may wait that long, say so with --max-stall";

  private Gate() {}

  public static Verdict judge(Findings findings, Policy policy) {
    Counting counting = new Counting(findings, policy);
    List<Check> checks = counting.checks();
    Basis basis = counting.basis();
    List<String> unproven = new ArrayList<>(counting.unproven());
    List<String> warnings = new ArrayList<>(counting.warnings());
    // A limit of the user's own decides how long is too long.
    boolean mayStall =
        policy.evidence().allowHang()
            || policy.limits().stream().anyMatch(of -> of.measure().about() == Measure.About.WAITS);
    for (Gap gap : findings.gaps()) {
      String sentence = sentence(gap);
      switch (gap.kind()) {
        case PINNED_EVENT_OFF, PINNED_EVENT_UNKNOWN, OUTSIDE_RANGE, NOTHING_RECORDED, WHAT_IF ->
            unproven.add(sentence);
        case EVENTS_LOST, DAMAGED, ENDED_EARLY, BEGINNING_LOST ->
            (policy.evidence().allowIncomplete() ? warnings : unproven).add(sentence);
        case CAPACITY_UNKNOWN, SHORT_PINS_HIDDEN, SHORT_MONITOR_EVENTS_HIDDEN -> {
          if (policy.limits().stream().anyMatch(of -> of.measure().needed().contains(gap.kind()))) {
            unproven.add(sentence);
          } else if (policy.limits().stream()
              .anyMatch(of -> of.measure().blurring().contains(gap.kind()))) {
            (policy.evidence().strict() ? unproven : warnings).add(sentence);
          }
        }
        case MONITOR_EVENT_OFF, JDK_UNKNOWN ->
            (policy.evidence().strict() ? unproven : warnings).add(sentence);
        case UNWATCHED ->
            (policy.evidence().allowUnwatched() ? warnings : unproven)
                .add(
                    sentence
                        + (policy.evidence().allowUnwatched()
                            ? ""
                            : "; record with vtdiag's agent, or pass --allow-unwatched"));
        case QUEUE_UNEXPLAINED ->
            // Without a watch nobody can say that it was work.
            (policy.evidence().allowUnwatched() && isUnwatched(findings, gap) ? warnings : unproven)
                .add(sentence);
        case WATCH_STARVED, ALL_KEPT_AT_END -> unproven.add(sentence);
        case STALLED_AT_END ->
            (mayStall ? warnings : unproven).add(sentence + (mayStall ? "" : MAY_WAIT));
        case MONITORS_DO_NOT_PIN -> warnings.add(sentence);
        case NO_STACKS,
            WAITS_UNSEEN,
            STACKS_TRUNCATED,
            CLASSES_UNREAD,
            JDK_CLASSES_UNREAD,
            CLASSES_UNFIT,
            CLASS_PATH_PROBLEM,
            NO_AGENT -> {
          // These blur who held the carrier, not for how long.
        }
        case SHORT_WAITS_UNWATCHED -> {
          // What hangs is longer; a limit that is shorter has its own warning.
        }
      }
    }
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
        (mayStall ? warnings : unproven).add(sentence + (mayStall ? "" : MAY_WAIT));
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

  private static boolean isUnwatched(Findings findings, Gap gap) {
    return findings.recordings().stream()
        .anyMatch(facts -> facts.source().equals(gap.recording()) && facts.watched().isEmpty());
  }

  private static String sentence(Gap gap) {
    return switch (gap.kind()) {
      case DAMAGED, EVENTS_LOST, NOTHING_RECORDED ->
          gap.recording().isEmpty() ? gap.text() : gap.recording() + ": " + gap.text();
      default ->
          (gap.recording().isEmpty() ? "the recordings do" : gap.recording() + " does")
              + " not show "
              + gap.text();
    };
  }
}
