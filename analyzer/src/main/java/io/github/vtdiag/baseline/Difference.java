package io.github.vtdiag.baseline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * The difference between two runs.
 *
 * @param whole the change of the run as a whole; empty if one of the runs does not tell
 * @param changes the changes of the pin findings, the worst first
 * @param others the changes of the other findings
 * @param obstacles why the runs cannot be compared, one clause each; most often none
 * @param starved why their times cannot be compared: one of them had too little of its machine
 * @param untold what only one of the runs tells, one clause each
 * @param remarks what differs besides, and may explain some of the changes
 */
public record Difference(
    RunSummary before,
    RunSummary after,
    Tolerance tolerance,
    Optional<WholeChange> whole,
    List<Change> changes,
    List<FindingChange> others,
    List<String> obstacles,
    List<String> starved,
    List<String> untold,
    List<String> remarks) {
  public Difference {
    changes = List.copyOf(changes);
    others = List.copyOf(others);
    starved = List.copyOf(starved);
    untold = List.copyOf(untold);
    obstacles = List.copyOf(obstacles);
    remarks = List.copyOf(remarks);
  }

  /** Compares two runs. */
  public static Difference of(RunSummary before, RunSummary after, Tolerance tolerance) {
    Map<String, List<BaselinePin>> then = byKin(before);
    Map<String, List<BaselinePin>> now = byKin(after);
    double length = length(before, after);
    Optional<WholeChange> whole = WholeChange.of(before, after);
    double moreWork = whole.map(WholeChange::moreWork).orElse(1.0);
    List<Change> changes = new ArrayList<>();
    Set<String> kins = new LinkedHashSet<>(now.keySet());
    kins.addAll(then.keySet());
    for (String kin : kins) {
      new Match(tolerance, length, moreWork, changes)
          .all(then.getOrDefault(kin, List.of()), now.getOrDefault(kin, List.of()));
    }
    changes.sort(
        Comparator.comparing((Change change) -> !change.notable())
            .thenComparing(Change::kind)
            .thenComparing(Difference::nanos, Comparator.reverseOrder())
            .thenComparing(change -> change.identity().text()));
    List<String> untold = Conditions.untold(before.conditions(), after.conditions());
    return new Difference(
        before,
        after,
        tolerance,
        whole,
        changes,
        FindingChange.of(before, after, tolerance, untold.isEmpty()),
        Conditions.obstacles(before.conditions(), after.conditions()),
        Conditions.starved(before.conditions(), after.conditions()),
        untold,
        Conditions.remarks(before.conditions(), after.conditions()));
  }

  /** Returns whether the differences are due to the program, as far as the recordings tell. */
  public boolean isComparable() {
    return obstacles.isEmpty() && starved.isEmpty();
  }

  /** Returns the verdict on the run: a hang first, then the run as a whole, then the findings. */
  public WholeChange.Verdict verdict() {
    if (hangs()) {
      return WholeChange.Verdict.WORSE;
    }
    WholeChange.Verdict whole = wholeVerdict();
    return whole != WholeChange.Verdict.SAME
        ? whole
        : has(Change.Kind.WORSE) || has(Change.Kind.NEW)
            ? WholeChange.Verdict.WORSE
            : has(Change.Kind.BETTER) || has(Change.Kind.GONE)
                ? WholeChange.Verdict.BETTER
                : WholeChange.Verdict.SAME;
  }

  /**
   * Returns the verdict on the whole, where it is known and something besides chance supports it.
   */
  public WholeChange.Verdict wholeVerdict() {
    return whole
        .map(
            change ->
                change.moreWork() == 1 && !hasNotable(change.verdict())
                    ? WholeChange.Verdict.SAME
                    : change.verdict())
        .orElse(WholeChange.Verdict.SAME);
  }

  /** Returns whether a finding moved the same way as the whole. */
  private boolean hasNotable(WholeChange.Verdict verdict) {
    return switch (verdict) {
      case BETTER, MIXED -> has(Change.Kind.BETTER) || has(Change.Kind.GONE);
      case WORSE -> has(Change.Kind.WORSE) || has(Change.Kind.NEW);
      case SAME -> true;
    };
  }

  /** Returns whether any change is of a kind, and more than chance. */
  public boolean has(Change.Kind kind) {
    return !notable(kind).isEmpty() || !notableOthers(kind).isEmpty();
  }

  /** Returns whether a hang is in the run after and was not in the one before. */
  public boolean hangs() {
    return Stream.of(Change.Kind.NEW, Change.Kind.WORSE)
        .flatMap(kind -> notableOthers(kind).stream())
        .anyMatch(change -> change.seen().isHang());
  }

  /** Returns the findings other than pins that are of a kind, and more than chance. */
  public List<FindingChange> notableOthers(Change.Kind kind) {
    return others.stream().filter(change -> change.kind() == kind && change.notable()).toList();
  }

  /** Returns the pins of a kind that are more than chance. */
  public List<Change> notable(Change.Kind kind) {
    return changes.stream().filter(change -> change.kind() == kind && change.notable()).toList();
  }

  /** Returns the length of the run after as a multiple of the run before. */
  public double length() {
    return length(before, after);
  }

  private static double length(RunSummary before, RunSummary after) {
    return before.conditions().durationNanos() == 0
        ? 1
        : (double) after.conditions().durationNanos() / before.conditions().durationNanos();
  }

  private static long nanos(Change change) {
    return change.after().or(change::before).orElseThrow().cost().totalNanos();
  }

  private static Map<String, List<BaselinePin>> byKin(RunSummary run) {
    Map<String, List<BaselinePin>> byKin = new HashMap<>();
    for (BaselinePin seen : run.findings()) {
      byKin.computeIfAbsent(seen.identity().kin(), kin -> new ArrayList<>()).add(seen);
    }
    byKin.values().forEach(of -> of.sort(Comparator.comparingInt(s -> s.identity().number())));
    return byKin;
  }

  /**
   * Matches findings that have the same name. They are matched by their numbers, or, if one of them
   * is missing in one of the runs, by their figures.
   */
  private record Match(Tolerance tolerance, double length, double moreWork, List<Change> into) {
    void all(List<BaselinePin> before, List<BaselinePin> after) {
      List<BaselinePin> then = new ArrayList<>(before);
      List<BaselinePin> now = new ArrayList<>(after);
      pair(
          then,
          now,
          (a, b) -> a.identity().number() == b.identity().number() && worse(a, b).isEmpty());
      pair(then, now, (a, b) -> worse(a, b).isEmpty());
      pair(then, now, (a, b) -> true);
      for (BaselinePin seen : now) {
        into.add(
            new Change(
                Change.Kind.NEW,
                Optional.empty(),
                Optional.of(seen),
                tolerance.isNotable(seen.cost()),
                false,
                List.of()));
      }
      for (BaselinePin seen : then) {
        into.add(
            new Change(
                Change.Kind.GONE,
                Optional.of(seen),
                Optional.empty(),
                tolerance.isNotable(seen.cost()),
                false,
                List.of()));
      }
    }

    private void pair(
        List<BaselinePin> before,
        List<BaselinePin> after,
        BiPredicate<BaselinePin, BaselinePin> same) {
      for (BaselinePin now : List.copyOf(after)) {
        before.stream()
            .filter(then -> same.test(then, now))
            .findFirst()
            .ifPresent(
                then -> {
                  before.remove(then);
                  after.remove(now);
                  into.add(change(then, now));
                });
      }
    }

    private List<Tolerance.Figure> worse(BaselinePin before, BaselinePin after) {
      return tolerance.worse(before.cost(), after.cost(), length);
    }

    private Change change(BaselinePin before, BaselinePin after) {
      List<Tolerance.Figure> worse = worse(before, after);
      List<Tolerance.Figure> better = better(before, after, length);
      Change.Kind kind =
          !worse.isEmpty()
              ? Change.Kind.WORSE
              : better.isEmpty() ? Change.Kind.SAME : Change.Kind.BETTER;
      List<Tolerance.Figure> in = kind == Change.Kind.BETTER ? better : worse;
      if (isDueToWork(kind, before, after)) {
        return new Change(
            Change.Kind.SAME, Optional.of(before), Optional.of(after), true, true, in);
      }
      return new Change(kind, Optional.of(before), Optional.of(after), true, false, in);
    }

    /**
     * Returns whether there is more of it only because there was more work, or less because of
     * less.
     */
    private boolean isDueToWork(Change.Kind kind, BaselinePin before, BaselinePin after) {
      return switch (kind) {
        case WORSE ->
            moreWork > 1
                && tolerance.worse(before.cost(), after.cost(), length * moreWork).isEmpty();
        case BETTER -> moreWork < 1 && better(before, after, length * moreWork).isEmpty();
        case NEW, SAME, GONE -> false;
      };
    }

    private List<Tolerance.Figure> better(BaselinePin before, BaselinePin after, double times) {
      return times == 0 ? List.of() : tolerance.worse(after.cost(), before.cost(), 1 / times);
    }
  }
}
