package vtdiag.gate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import vtdiag.analysis.Finding;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Gap;
import vtdiag.gate.Policy.Check;
import vtdiag.gate.Policy.Name;
import vtdiag.model.Figures;
import vtdiag.model.Frame;
import vtdiag.pin.Events;
import vtdiag.recording.RecordingFacts;
import vtdiag.recording.RecordingFacts.EventSetting;

/**
 * Decides whether findings keep a policy. A violation that is seen is a FAIL, whatever else is
 * missing. Where none is seen, PASS needs recordings that would have shown one:
 *
 * <ul>
 *   <li>a recording made under a what-if: NO_DATA, because it is not of the application as it is;
 *   <li>the pinned event off, or not known to be on, or nothing of the time that was asked for:
 *       NO_DATA;
 *   <li>a threshold above {@code maxPin}: NO_DATA, because a pin in between would break the limit;
 *   <li>a damaged recording, or events lost: NO_DATA, unless the policy allows incomplete ones;
 *   <li>a limit on capacity, and the number of carriers not known: NO_DATA;
 *   <li>a threshold and a limit on total, count or capacity, or monitor events that were off: a
 *       warning, because every usual recording has one; NO_DATA if the policy is strict.
 * </ul>
 */
public final class Gate {
  private Gate() {}

  public static Verdict judge(Findings findings, Policy policy) {
    List<Check> checks = checks(findings, policy);
    List<String> gaps = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    for (Gap gap : findings.gaps()) {
      String sentence = sentence(gap);
      switch (gap.kind()) {
        case PINNED_EVENT_OFF, PINNED_EVENT_UNKNOWN, OUTSIDE_RANGE, WHAT_IF -> gaps.add(sentence);
        case EVENTS_LOST, DAMAGED ->
            (policy.evidence().allowIncomplete() ? warnings : gaps).add(sentence);
        case CAPACITY_UNKNOWN -> {
          if (policy.maxCapacityLost().isPresent()) {
            gaps.add(sentence);
          }
        }
        case SHORT_PINS_HIDDEN, SHORT_MONITOR_EVENTS_HIDDEN -> {
          if (sumsUp(policy)) {
            (policy.evidence().strict() ? gaps : warnings).add(sentence);
          }
        }
        case MONITOR_EVENT_OFF, JDK_UNKNOWN ->
            (policy.evidence().strict() ? gaps : warnings).add(sentence);
        case MONITORS_DO_NOT_PIN -> warnings.add(sentence);
        case NO_STACKS,
            STACKS_TRUNCATED,
            CLASSES_UNREAD,
            JDK_CLASSES_UNREAD,
            CLASS_PATH_PROBLEM,
            NO_AGENT -> {
          // These blur who held the carrier, not for how long.
        }
      }
    }
    policy
        .maxPinNanos()
        .ifPresent(limit -> findings.recordings().forEach(r -> tooCoarse(r, limit, gaps)));
    if (checks.stream().anyMatch(Check::broken)) {
      warnings.addAll(gaps);
      return new Verdict.Fail(checks, warnings);
    }
    if (gaps.isEmpty()) {
      return new Verdict.Pass(checks, warnings);
    }
    if (policy.evidence().allowNoData()) {
      warnings.addAll(gaps);
      return new Verdict.Pass(checks, warnings);
    }
    return new Verdict.NoData(gaps, warnings);
  }

  private static boolean sumsUp(Policy policy) {
    return policy.maxCount().isPresent()
        || policy.maxTotalNanos().isPresent()
        || policy.maxCapacityLost().isPresent();
  }

  private static void tooCoarse(RecordingFacts facts, long limit, List<String> gaps) {
    for (String event : Events.EPISODES) {
      EventSetting setting = facts.settings().get(event);
      boolean canPin = event.equals(Events.PINNED) || facts.jdk() < Events.UNPINNED_MONITORS;
      if (canPin && setting != null && setting.enabled() && setting.thresholdNanos() > limit) {
        gaps.add(
            facts.source()
                + ": the threshold of "
                + event
                + " was "
                + Figures.durationBeside(setting.thresholdNanos(), limit)
                + ", above the limit of "
                + Figures.durationBeside(limit, setting.thresholdNanos())
                + "; record with a lower threshold");
      }
    }
  }

  private static String sentence(Gap gap) {
    String subject = gap.recording().isEmpty() ? "" : gap.recording() + ": ";
    return subject
        + switch (gap.kind()) {
          case DAMAGED, EVENTS_LOST -> gap.text();
          default -> "cannot tell " + gap.text();
        };
  }

  private static List<Check> checks(Findings findings, Policy policy) {
    List<Check> checks = new ArrayList<>();
    long longest = findings.cost().longestNanos();
    policy
        .maxPinNanos()
        .ifPresent(
            limit ->
                checks.add(
                    new Check(
                        Name.LONGEST_PIN,
                        Figures.durationBeside(longest, limit),
                        Figures.durationBeside(limit, longest),
                        longest > limit,
                        where(findings, Finding::longest))));
    long total = findings.cost().totalNanos();
    policy
        .maxTotalNanos()
        .ifPresent(
            limit ->
                checks.add(
                    new Check(
                        Name.TOTAL,
                        Figures.durationBeside(total, limit),
                        Figures.durationBeside(limit, total),
                        total > limit,
                        where(findings, Finding::total))));
    long count = findings.cost().count();
    policy
        .maxCount()
        .ifPresent(
            limit ->
                checks.add(
                    new Check(
                        Name.COUNT,
                        Figures.count(count),
                        Figures.count(limit),
                        count > limit,
                        where(findings, Finding::count))));
    OptionalDouble share = findings.shareOfCapacity();
    if (policy.maxCapacityLost().isPresent() && share.isPresent()) {
      double limit = policy.maxCapacityLost().getAsDouble();
      checks.add(
          new Check(
              Name.CAPACITY_LOST,
              Figures.percentBeside(share.getAsDouble(), limit),
              Figures.percentBeside(limit, share.getAsDouble()),
              share.getAsDouble() > limit,
              where(findings, Finding::total)));
    }
    return checks;
  }

  /** The finding with the most of a figure, as {@code com.example.Foo.bar (Foo.java:12)}. */
  private static Optional<String> where(Findings findings, ToLongFunction<Finding> figure) {
    return findings.findings().stream()
        .max(Comparator.comparingLong(figure))
        .map(finding -> finding.title() + finding.place().map(Gate::position).orElse(""));
  }

  private static String position(Frame frame) {
    return frame.line() < 0 ? "" : " (" + Figures.position(frame.type(), frame.line()) + ")";
  }
}
