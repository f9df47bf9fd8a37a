package vtdiag.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vtdiag.analysis.OtherFinding;
import vtdiag.analysis.OtherFinding.AtOnce;
import vtdiag.analysis.OtherFinding.Detail;
import vtdiag.model.Figures;
import vtdiag.model.Frame;
import vtdiag.program.Owner;

/** What virtual threads waited for without a carrier, in words. A limit is no fault. */
final class WaitWords {
  private WaitWords() {}

  /** How many waited for what, in one sentence; empty if the finding is about no wait. */
  static Optional<String> sentence(OtherFinding finding) {
    String awaited = awaited(finding);
    if (awaited.isEmpty()) {
      return Optional.empty();
    }
    String site =
        finding
            .site()
            .or(finding::inside)
            .map(frame -> " in " + frame.qualifiedMethod())
            .orElse("");
    return Optional.of(crowd(finding) + " waited " + awaited + site + ".");
  }

  /** {@code 490 of 500 virtual threads}. */
  private static String crowd(OtherFinding finding) {
    String all =
        finding
            .detail("virtualThreads")
            .flatMap(Detail::amount)
            .map(amount -> " of " + Figures.count(Math.round(amount.value())))
            .orElse("");
    long mean = Math.round(finding.atOnce().map(AtOnce::mean).orElse(0.0));
    return Figures.count(mean) + all + " virtual threads";
  }

  /** What for; empty if the finding is about no wait. */
  private static String awaited(OtherFinding finding) {
    String one = finding.detail("objects").isPresent() ? "one " : a(finding.subject());
    return switch (finding.kind()) {
      case POOL -> "until the " + finding.subject() + " pool had one free";
      case SEMAPHORE -> "for a permit of " + one + finding.subject();
      case LOCK -> "for " + one + finding.subject();
      case MONITOR -> "to enter a monitor";
      case FULL_QUEUE ->
          finding.subject().equals("SynchronousQueue")
              ? "until somebody took what they put into a SynchronousQueue"
              : "for room in " + one.strip() + " full " + finding.subject();
      case SIGNAL -> "for a signal (" + finding.subject() + ")";
      case FUTURE -> "for another thread's result (" + finding.subject() + ")";
      case REMOTE ->
          finding.limits()
              ? "for an answer from the network (" + finding.subject() + ")"
              : "for data from the network (" + finding.subject() + ")";
      case MONOPOLIZED_CARRIERS,
          SPINNING,
          FILE_IO,
          NATIVE_CALL,
          NAME_LOOKUP,
          PROCESS_START,
          POOLED_THREADS,
          THREAD_LOCAL_CACHE,
          NO_BACKPRESSURE ->
          "";
    };
  }

  private static String a(String name) {
    return "AEIOU".indexOf(name.charAt(0)) >= 0 ? "an " : "a ";
  }

  /** What else there is to say. */
  static List<String> details(OtherFinding finding) {
    List<String> lines = new ArrayList<>();
    finding
        .atOnce()
        .ifPresent(
            atOnce ->
                lines.add(
                    "on average, in "
                        + Figures.count(finding.evidence().count(), "look")
                        + " of the agent; "
                        + Figures.count(atOnce.most())
                        + " at most"
                        + estimate(finding)));
    finding
        .inside()
        .filter(frame -> !(finding.owner() instanceof Owner.Application))
        .ifPresent(
            frame ->
                lines.add(
                    "inside " + frame.qualifiedMethod() + ": " + Words.owner(finding.owner())));
    finding.detail("holder").flatMap(Detail::frame).ifPresent(f -> lines.add(holder(finding, f)));
    return lines;
  }

  private static String estimate(OtherFinding finding) {
    return finding
        .detail("lookedAt")
        .flatMap(Detail::amount)
        .map(
            looked ->
                "; an estimate from "
                    + Figures.count(Math.round(looked.value()), "thread")
                    + " a look, chosen by lot")
        .orElse("");
  }

  private static String holder(OtherFinding finding, Frame at) {
    String does = finding.detail("holderWaitsFor").map(Detail::text).orElse("");
    return "whoever had it was in "
        + at
        + (does.isEmpty() ? "" : ", which waits itself (" + does + ")");
  }
}
