package io.github.vtdiag.report.words;

import io.github.vtdiag.baseline.WholeChange;
import io.github.vtdiag.baseline.WholeChange.Pair;
import io.github.vtdiag.baseline.WholeChange.Work;
import io.github.vtdiag.model.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The change of a run as a whole in words. */
public final class WholeWords {
  private static final double SECOND = 1e9;

  private WholeWords() {}

  /**
   * Returns {@code 4.2 times the work in the same time; carrier time blocked for each thread
   * created: 59 ms -> 11 ms}.
   */
  public static String clause(WholeChange whole) {
    String work = whole.moreWork() == 1 ? "" : times(whole) + " the work in the same time; ";
    if (whole.isDecidedByQueue()) {
      return work
          + (whole.queued().orElseThrow().ratio() > 1 ? "more" : "fewer")
          + " virtual threads waited for a carrier";
    }
    return work.isEmpty()
        ? (whole.blocked().ratio() > 1 ? "more" : "fewer") + " carriers were blocked"
        : work + blockedPerWork(whole).orElseThrow();
  }

  private static Optional<String> blockedPerWork(WholeChange whole) {
    return whole
        .blockedPerWork()
        .map(
            each ->
                "carrier time blocked for each "
                    + piece(whole.work().orElseThrow())
                    + ": "
                    + durations(each));
  }

  /** Returns {@code 4.2 times}. */
  static String times(WholeChange whole) {
    double ratio = whole.moreWork();
    return (ratio >= 10
            ? Figures.count(Math.round(ratio))
            : Figures.decimal(ratio, ratio < 0.1 ? 2 : 1))
        + " times";
  }

  /** Returns the figures, one line each. */
  public static List<Phrase> lines(WholeChange whole) {
    List<Phrase> lines = new ArrayList<>();
    whole
        .work()
        .ifPresent(
            work -> lines.add(Phrase.of(name(work) + " a second: " + pair(work.perSecond()))));
    lines.add(
        Phrase.of(
            "carriers blocked at a time: "
                + pair(whole.blocked())
                + blockedPerWork(whole)
                    .map(each -> "; " + each)
                    .orElse("; the amount of work is unknown")));
    whole
        .queued()
        .ifPresent(
            queued ->
                lines.add(Phrase.of("virtual threads waiting for a carrier: " + pair(queued))));
    return lines;
  }

  private static String name(Work work) {
    return work.methods().isEmpty()
        ? "threads created"
        : "calls of " + String.join(" and ", new TreeSet<>(work.methods()));
  }

  private static String piece(Work work) {
    return work.methods().isEmpty() ? "thread created" : "call";
  }

  private static String pair(Pair pair) {
    return Figures.mean(pair.before()) + " -> " + Figures.mean(pair.after());
  }

  private static String durations(Pair seconds) {
    return Figures.duration(Math.round(seconds.before() * SECOND))
        + " -> "
        + Figures.duration(Math.round(seconds.after() * SECOND));
  }
}
