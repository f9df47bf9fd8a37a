package io.github.vtdiag.gate;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import java.util.List;
import java.util.function.Predicate;

/** The effect of a gap on PASS. {@link #of} is the table: the only place that asks for its kind. */
enum GapRule {
  /** No proof: without it, it is unknown whether a limit is broken. */
  NO_PROOF,
  /** No proof, unless recordings that are not whole are allowed. */
  INCOMPLETE,
  /** No proof, unless recordings without a watch are allowed. */
  UNWATCHED("; record with vtdiag's agent, or pass --allow-unwatched"),
  /** The same, for what only a watch explains. */
  UNEXPLAINED,
  /** No proof, unless hangs are allowed, or a limit decides how long a wait may last. */
  STALLED(Gate.MAY_WAIT),
  /** No proof where a limit needs it; what makes the figure of one too small is a warning. */
  OF_LIMITS,
  /** No proof where a limit is about the time of carriers or those that wait for one. */
  OF_CARRIERS,
  /** A warning, unless all limits are about other things than pins and carriers. */
  OF_PINS,
  /** A warning, because every usual recording has one; no proof where the policy is strict. */
  USUAL,
  /** No effect: it blurs who held the carrier, not for how long, or is reported elsewhere. */
  NONE;

  /** The effect of a gap. */
  enum Effect {
    NO_PROOF,
    WARNING,
    NONE
  }

  private final String hint;

  GapRule() {
    this("");
  }

  GapRule(String hint) {
    this.hint = hint;
  }

  /** Returns the rule of a gap: the table. */
  static GapRule of(Gap.Kind kind) {
    return switch (kind) {
      case PINNED_EVENT_OFF,
          PINNED_EVENT_UNKNOWN,
          OUTSIDE_RANGE,
          NOTHING_RECORDED,
          WHAT_IF,
          WATCH_STARVED,
          ALL_KEPT_AT_END ->
          NO_PROOF;
      case EVENTS_LOST, DAMAGED, ENDED_EARLY, BEGINNING_LOST -> INCOMPLETE;
      case UNWATCHED -> UNWATCHED;
      case QUEUE_UNEXPLAINED -> UNEXPLAINED;
      case STALLED_AT_END -> STALLED;
      case CAPACITY_UNKNOWN, SHORT_PINS_HIDDEN, SHORT_MONITOR_EVENTS_HIDDEN -> OF_LIMITS;
      case OTHER_SCHEDULER -> OF_CARRIERS;
      case MONITOR_EVENT_OFF, JDK_UNKNOWN -> USUAL;
      case MONITORS_DO_NOT_PIN -> OF_PINS;
      case NO_STACKS,
          WAITS_UNSEEN,
          STACKS_TRUNCATED,
          CLASSES_UNREAD,
          JDK_CLASSES_UNREAD,
          CLASSES_UNFIT,
          CLASSES_CHANGED,
          CLASS_PATH_PROBLEM,
          NO_AGENT,
          // A hang lasts longer; a limit that is shorter has its own warning.
          SHORT_WAITS_UNWATCHED ->
          NONE;
    };
  }

  Effect effect(Gap gap, Findings findings, Policy policy) {
    Policy.Evidence evidence = policy.evidence();
    return switch (this) {
      case NO_PROOF -> Effect.NO_PROOF;
      case INCOMPLETE -> unless(evidence.allowIncomplete());
      case UNWATCHED -> unless(evidence.allowUnwatched());
      // Without a watch it is unknown whether it was work.
      case UNEXPLAINED -> unless(evidence.allowUnwatched() && isUnwatched(findings, gap));
      case STALLED -> unless(policy.mayStall());
      case OF_LIMITS ->
          has(policy, measure -> measure.needed().contains(gap.kind()))
              ? Effect.NO_PROOF
              : has(policy, measure -> measure.blurring().contains(gap.kind()))
                  ? unless(!evidence.strict())
                  : Effect.NONE;
      case OF_CARRIERS -> unless(!has(policy, GapRule::isOfCarriers));
      case USUAL -> unless(!evidence.strict());
      case OF_PINS ->
          policy.baseline().isPresent() || has(policy, each -> each.about() != Measure.About.WAITS)
              ? Effect.WARNING
              : Effect.NONE;
      case NONE -> Effect.NONE;
    };
  }

  private static boolean isOfCarriers(Measure measure) {
    return measure.about() == Measure.About.CARRIERS
        || measure.needed().contains(Gap.Kind.CAPACITY_UNKNOWN);
  }

  private static Effect unless(boolean allowed) {
    return allowed ? Effect.WARNING : Effect.NO_PROOF;
  }

  private static boolean has(Policy policy, Predicate<Measure> such) {
    return policy.limits().stream().map(Policy.Limit::measure).anyMatch(such);
  }

  private static boolean isUnwatched(Findings findings, Gap gap) {
    return findings.recordings().stream()
        .anyMatch(facts -> facts.source().equals(gap.recording()) && facts.watched().isEmpty());
  }

  /** Returns the gaps of a run that have this effect, one sentence each. */
  static List<String> sentences(Effect effect, Findings findings, Policy policy) {
    return findings.gaps().stream()
        .filter(gap -> of(gap.kind()).effect(gap, findings, policy) == effect)
        .map(gap -> gap.sentence() + (effect == Effect.NO_PROOF ? of(gap.kind()).hint : ""))
        .toList();
  }
}
