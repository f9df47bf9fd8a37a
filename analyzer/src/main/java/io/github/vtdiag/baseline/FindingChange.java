package io.github.vtdiag.baseline;

import io.github.vtdiag.analysis.BehaviorKind;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Identities;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The change of a finding other than a pin. Only bottlenecks are worth reporting: the rest needs no
 * action.
 *
 * @param notable whether it is more than chance, and a bottleneck
 */
public record FindingChange(
    Change.Kind kind,
    Optional<BaselineFinding> before,
    Optional<BaselineFinding> after,
    boolean notable) {
  private static final OptionalDouble NONE = OptionalDouble.empty();

  /** Returns the finding of the run after, or of the one before if it is gone. */
  public BaselineFinding seen() {
    return after.or(() -> before).orElseThrow();
  }

  /**
   * Returns all changes between two runs, the most important first.
   *
   * @param looked whether both runs tell what threads wait for
   */
  static List<FindingChange> of(
      RunSummary before, RunSummary after, Tolerance tolerance, boolean looked) {
    // By text: the same finding may be alone in one run, and one of several in the other.
    Map<String, BaselineFinding> then = new LinkedHashMap<>();
    before.others().forEach(each -> then.put(each.identity().text(), each));
    Map<BaselineFinding, BaselineFinding> pairs = new LinkedHashMap<>();
    for (BaselineFinding now : after.others()) {
      Optional.ofNullable(then.remove(now.identity().text())).ifPresent(was -> pairs.put(now, was));
    }
    List<FindingChange> changes = new ArrayList<>();
    for (BaselineFinding now : after.others()) {
      Optional<BaselineFinding> was =
          Optional.ofNullable(pairs.get(now))
              .or(() -> otherLock(now, then))
              .or(() -> pinned(now, before, after, tolerance));
      if (looked || !now.kind().needsSnapshots()) {
        changes.add(was.map(old -> both(old, now, tolerance)).orElseGet(() -> one(now, tolerance)));
      }
    }
    for (BaselineFinding was : then.values()) {
      if (looked || !was.kind().needsSnapshots()) {
        changes.add(
            new FindingChange(
                Change.Kind.GONE, Optional.of(was), Optional.empty(), tolerance.isNotable(was)));
      }
    }
    changes.sort(
        Comparator.comparing((FindingChange change) -> !change.notable)
            .thenComparing(FindingChange::kind)
            .thenComparing(change -> !change.seen().isHang())
            .thenComparing(change -> change.seen().identity().text()));
    return changes;
  }

  /**
   * Takes out the wait for another kind of lock at the same place: who replaces a monitor by a lock
   * has the same threads waiting in the same method.
   */
  private static Optional<BaselineFinding> otherLock(
      BaselineFinding now, Map<String, BaselineFinding> then) {
    if (!isForLock(now) || now.place().isEmpty()) {
      return Optional.empty();
    }
    List<BaselineFinding> there =
        then.values().stream()
            .filter(was -> isForLock(was) && was.place().equals(now.place()))
            .toList();
    return there.size() == 1
        ? Optional.of(then.remove(there.getFirst().identity().text()))
        : Optional.empty();
  }

  /**
   * Returns the wait that a lock in place of a monitor had before, if it is the same by its figure.
   * Threads that waited for the monitor kept their carriers, on Java 21 to 23, and the others
   * waited for one of these: those were pins and a queue.
   */
  private static Optional<BaselineFinding> pinned(
      BaselineFinding now, RunSummary before, RunSummary after, Tolerance tolerance) {
    if (!isForLock(now)
        || now.place().isEmpty()
        || pinnedIn(now.place(), after) > 0
        || before.conditions().durationNanos() == 0) {
      return Optional.empty();
    }
    double pins = (double) pinnedIn(now.place(), before) / before.conditions().durationNanos();
    double waited = pins + before.totals().map(Totals::queued).orElse(NONE).orElse(0);
    return pins == 0 || tolerance.isMore(now.unit(), waited, now.figure())
        ? Optional.empty()
        // Other monitors may have made threads queue, too, so the wait is never called better.
        : Optional.of(now.withFigure(Math.min(waited, now.figure())));
  }

  /** Returns for how long monitors that this method enters pinned. */
  private static long pinnedIn(String method, RunSummary run) {
    return run.findings().stream()
        .filter(pin -> Identities.isAtMonitorIn(pin.identity(), method))
        .mapToLong(pin -> pin.cost().totalNanos())
        .sum();
  }

  private static boolean isForLock(BaselineFinding seen) {
    return seen.kind() instanceof BehaviorKind.OfWait wait && wait.bottleneck() == Bottleneck.LOCK;
  }

  private static FindingChange one(BaselineFinding now, Tolerance tolerance) {
    return new FindingChange(
        Change.Kind.NEW, Optional.empty(), Optional.of(now), tolerance.isNotable(now));
  }

  private static FindingChange both(BaselineFinding was, BaselineFinding now, Tolerance tolerance) {
    Change.Kind kind =
        tolerance.isMore(was.unit(), was.figure(), now.figure())
            ? Change.Kind.WORSE
            : tolerance.isMore(was.unit(), now.figure(), was.figure())
                ? Change.Kind.BETTER
                : Change.Kind.SAME;
    boolean limits =
        switch (kind) {
          case WORSE -> now.limits();
          case BETTER -> was.limits();
          case NEW, SAME, GONE -> was.limits() || now.limits();
        };
    return new FindingChange(kind, Optional.of(was), Optional.of(now), limits);
  }
}
