package io.github.vtdiag.advice;

import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Finding.Pin.ReachedFrom;
import io.github.vtdiag.model.PinCause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One thing to do, with all the findings that it is for. All reports count and order by entries.
 *
 * @param advised the findings, the costliest first, save that one which holds a monitor precedes
 *     the waits to enter it; never empty
 * @param recommendation what to do
 * @param together what has to be done as well
 * @param freed the carrier time that all of it frees, in the whole recording
 * @param ofFindings the part of it that belongs to the entry's own findings
 * @param aloneFreed the part of {@code ofFindings} that the recommendation frees without {@code
 *     together}
 * @param isMinor whether it is short and costs next to nothing: {@link Entries} says when
 */
public record AdviceEntry(
    List<Advised> advised,
    Recommendation recommendation,
    List<Recommendation> together,
    Freed freed,
    Freed ofFindings,
    Freed aloneFreed,
    boolean isMinor) {
  public AdviceEntry {
    advised = List.copyOf(advised);
    together = List.copyOf(together);
  }

  AdviceEntry minor() {
    return new AdviceEntry(
        advised, recommendation, together, freed, ofFindings, aloneFreed, /* isMinor= */ true);
  }

  /** Returns the advice for the finding that names the entry. */
  public Advised first() {
    return advised.getFirst();
  }

  /**
   * Returns the advice whose effect tells what to expect: that for the thread inside the lock,
   * which those that wait to enter share. Where each thread inside has a lock of its own, the
   * costlier waits to enter are for another one.
   */
  public Advised path() {
    Advised inside =
        advised.stream().filter(each -> !waitsToEnter(each)).findFirst().orElse(first());
    return waitsToEnter(first()) && inside.effect().sharing() == Sharing.OWN_OBJECTS
        ? first()
        : inside;
  }

  private static boolean waitsToEnter(Advised each) {
    return each.finding().cause() instanceof PinCause.MonitorEntry;
  }

  public List<Pin> findings() {
    return advised.stream().map(Advised::finding).toList();
  }

  /** Returns the carrier time that its findings took. */
  public long total() {
    return advised.stream().mapToLong(each -> each.finding().total()).sum();
  }

  public long count() {
    return advised.stream().mapToLong(each -> each.finding().count()).sum();
  }

  public long longest() {
    return advised.stream().mapToLong(each -> each.finding().longest()).max().orElseThrow();
  }

  /**
   * Returns the words for all its places together; empty for a single place, or a single library's.
   */
  public Optional<DesignPattern.Many> ofMany() {
    return advised.size() > 1 && recommendation instanceof Recommendation.ChangePattern change
        ? change.pattern().ofMany()
        : Optional.empty();
  }

  /** Returns the rewrites among what is to be done. */
  public List<Recommendation.Rewrite> rewrites() {
    return Recommendation.Rewrite.among(recommendation, together);
  }

  /** Returns whether it requires a later Java, which also frees all other monitors. */
  public boolean needsLaterJava() {
    return recommendation instanceof Recommendation.UpgradeJdk
        || together.stream().anyMatch(Recommendation.UpgradeJdk.class::isInstance);
  }

  /** Returns whether Java 24 or later frees nothing of it. */
  public boolean staysSince24() {
    return advised.stream().allMatch(each -> each.finding().site().pinsSince24());
  }

  /**
   * Returns the places in the application's code that led to its findings, the most frequent first.
   */
  public List<ReachedFrom> reachedFrom() {
    record Line(String type, String method, int line) {}
    Map<Line, List<ReachedFrom>> lines = new LinkedHashMap<>();
    for (Advised each : advised) {
      for (ReachedFrom from : each.finding().reachedFrom()) {
        Line line =
            new Line(from.frame().type().name(), from.frame().method(), from.frame().line());
        lines.computeIfAbsent(line, l -> new ArrayList<>()).add(from);
      }
    }
    return lines.values().stream()
        .map(
            same ->
                new ReachedFrom(
                    same.getFirst().frame(), same.stream().mapToLong(ReachedFrom::count).sum()))
        .sorted(Comparator.comparingLong(ReachedFrom::count).reversed())
        .toList();
  }
}
