package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Observation.AtOnce;
import io.github.vtdiag.analysis.Observation.Detail;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.program.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The evidence of a wait in words, whatever kind it is. */
final class WaitText {
  /** What to do about a lock or a monitor. */
  static final String HOLD_SHORTER =
      "hold it for less time: no waiting while it is held, or one for each key:"
          + " docs/verdicts.md#a-lock.";

  private WaitText() {}

  /** {@code 490 of 500 virtual threads}. */
  static String crowd(Observation seen) {
    String all =
        seen.number("virtualThreads").map(number -> " of " + Figures.count(number)).orElse("");
    long mean = Math.round(seen.atOnce().map(AtOnce::mean).orElse(0.0));
    return Figures.count(mean) + all + " virtual threads";
  }

  /** {@code one Semaphore} if all wait for the same object, else {@code a Semaphore}. */
  static String one(Observation seen) {
    return article(seen) + " " + seen.subject();
  }

  static String article(Observation seen) {
    if (seen.detail("objects").isPresent()) {
      return "one";
    }
    return "AEIOU".indexOf(seen.subject().charAt(0)) >= 0 ? "an" : "a";
  }

  static List<String> evidence(WaitKind kind, Observation seen) {
    List<String> lines = new ArrayList<>();
    seen.atOnce()
        .ifPresent(
            atOnce ->
                lines.add(
                    "on average"
                        + seen.figure("threadsError")
                            .filter(error -> error >= 1)
                            .map(error -> ", give or take " + Figures.count(Math.round(error)))
                            .orElse("")
                        + ", in "
                        + Figures.count(seen.evidence().count(), "look")
                        + " of the agent; "
                        + Figures.count(atOnce.most())
                        + " at most"
                        + estimate(seen)));
    kind.use(seen).ifPresent(lines::add);
    seen.figure("withTwice").map(times -> prediction(kind, times)).ifPresent(lines::add);
    seen.inside()
        .filter(frame -> !(seen.owner() instanceof Owner.Application))
        .ifPresent(
            frame -> lines.add("inside " + frame.qualifiedMethod() + ": " + seen.owner().text()));
    seen.detail("holder").flatMap(Detail::frame).ifPresent(at -> lines.add(holder(seen, at)));
    return lines;
  }

  /** Whether it is known that threads waited though there were free ones. */
  static boolean isNotUsedUp(Observation seen) {
    return seen.figure("inUse").isPresent()
        && seen.figure("inUse").get() < seen.figure("bound").orElse(0.0);
  }

  static String pool(Observation seen) {
    if (seen.number("bound").isEmpty()) {
      return "how many it has was not recorded";
    }
    String all = Figures.count(seen.number("bound").get());
    String most = Figures.count(seen.number("inUse").orElse(0L));
    return isNotUsedUp(seen)
        ? most + " of " + all + " were in use at most: it was not its size that they waited for"
        : "all "
            + all
            + " were in use"
            + seen.figure("waitsPerUse").map(times -> "; " + waits(times)).orElse("");
  }

  static String free(double most) {
    return most < 1
        ? "none of its permits was free at any look"
        : "up to "
            + Figures.count(Math.round(most))
            + " of its permits were free: who waits needs several, or was just let in";
  }

  /** By Little's law: no single wait was seen. */
  static String waits(double times) {
    return "a wait took about "
        + (times >= 10
            ? Figures.count(Math.round(times))
            : String.format(Locale.ROOT, "%.1f", times))
        + " times as long as the use that followed it (the mean; single waits are not recorded)";
  }

  /** What a larger pool, or a lock held for less time, would bring at most. */
  private static String prediction(WaitKind kind, double times) {
    boolean pool = kind == WaitKind.POOL;
    return (pool ? "with twice as many, " : "held for half as long, ")
        + String.format(Locale.ROOT, "%.1f", times)
        + " times as many uses a second at most"
        + (pool ? ", if a use takes no longer then" : "");
  }

  private static String estimate(Observation seen) {
    return seen.number("lookedAt")
        .map(
            looked ->
                "; an estimate from " + Figures.count(looked, "thread") + " a look, chosen by lot")
        .orElse("");
  }

  private static String holder(Observation seen, Frame at) {
    String does = seen.detail("holderWaitsFor").map(Detail::text).orElse("");
    return "whoever had it was in "
        + at
        + (does.isEmpty() ? "" : ", which waits itself (" + does + ")");
  }
}
