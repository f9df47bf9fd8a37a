package io.github.vtdiag.baseline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    List<FindingChange> changes = new ArrayList<>();
    for (BaselineFinding now : after.others()) {
      Optional<BaselineFinding> was = Optional.ofNullable(then.remove(now.identity().text()));
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
