package io.github.vtdiag.report;

import io.github.vtdiag.analysis.OtherFinding;
import io.github.vtdiag.analysis.OtherFinding.AtOnce;
import io.github.vtdiag.analysis.OtherFinding.Detail;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.program.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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
      case POOL -> "until the " + finding.subject() + " pool" + bound(finding) + " had one free";
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
          NO_BACKPRESSURE,
          SUBMIT_FAILED ->
          "";
    };
  }

  /** {@code (10)}, or with the pool's own name {@code ("orders", 10)}; empty if not known. */
  static String bound(OtherFinding finding) {
    String name =
        finding.detail("name").map(detail -> Printable.quoted(detail.text()) + ", ").orElse("");
    return number(finding, "bound")
        .filter(bound -> finding.kind() == OtherFinding.Kind.POOL)
        .map(bound -> " (" + name + Figures.count(Math.round(bound)) + ")")
        .orElse("");
  }

  /** Whether it is known that threads waited though there were free ones. */
  static boolean isNotUsedUp(OtherFinding finding) {
    return number(finding, "inUse").isPresent()
        && number(finding, "inUse").get() < number(finding, "bound").orElse(0.0);
  }

  private static Optional<Double> number(OtherFinding finding, String name) {
    return finding.detail(name).flatMap(Detail::amount).map(amount -> amount.value());
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
                    "on average"
                        + number(finding, "threadsError")
                            .filter(error -> error >= 1)
                            .map(error -> ", give or take " + Figures.count(Math.round(error)))
                            .orElse("")
                        + ", in "
                        + Figures.count(finding.evidence().count(), "look")
                        + " of the agent; "
                        + Figures.count(atOnce.most())
                        + " at most"
                        + estimate(finding)));
    use(finding).ifPresent(lines::add);
    prediction(finding).ifPresent(lines::add);
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

  /** How many of a pool were in use, and what that says of the waits. */
  private static Optional<String> use(OtherFinding finding) {
    if (finding.kind() == OtherFinding.Kind.SEMAPHORE) {
      return number(finding, "free").map(WaitWords::free);
    }
    if (finding.kind() != OtherFinding.Kind.POOL) {
      return number(finding, "waitsPerUse").map(WaitWords::waits);
    }
    if (number(finding, "bound").isEmpty()) {
      return Optional.of("how many it has was not recorded");
    }
    String all = Figures.count(Math.round(number(finding, "bound").get()));
    String most = Figures.count(Math.round(number(finding, "inUse").orElse(0.0)));
    return Optional.of(
        isNotUsedUp(finding)
            ? most + " of " + all + " were in use at most: it was not its size that they waited for"
            : "all "
                + all
                + " were in use"
                + number(finding, "waitsPerUse").map(times -> "; " + waits(times)).orElse(""));
  }

  private static String free(double most) {
    return most < 1
        ? "none of its permits was free at any look"
        : "up to "
            + Figures.count(Math.round(most))
            + " of its permits were free: who waits needs several, or was just let in";
  }

  /** By Little's law: no single wait was seen. */
  private static String waits(double times) {
    return "a wait took about "
        + (times >= 10
            ? Figures.count(Math.round(times))
            : String.format(Locale.ROOT, "%.1f", times))
        + " times as long as the use that followed it (the mean; single waits are not recorded)";
  }

  /** What a larger pool, or a lock held for less time, would bring at most. */
  private static Optional<String> prediction(OtherFinding finding) {
    return number(finding, "withTwice")
        .map(
            times ->
                (finding.kind() == OtherFinding.Kind.POOL
                        ? "with twice as many, "
                        : "held for half as long, ")
                    + String.format(Locale.ROOT, "%.1f", times)
                    + " times as many uses a second at most"
                    + (finding.kind() == OtherFinding.Kind.POOL
                        ? ", if a use takes no longer then"
                        : ""));
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
