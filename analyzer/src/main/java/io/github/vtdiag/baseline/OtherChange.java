package io.github.vtdiag.baseline;

import io.github.vtdiag.analysis.Identity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of something that is no pin. Only what limits a program is worth a word: of the rest
 * nobody need do anything.
 *
 * @param notable whether it is more than chance, and limits the program
 */
public record OtherChange(
    Change.Kind kind, Optional<SeenOther> before, Optional<SeenOther> after, boolean notable) {

  /** What it is in the run after, or where it is gone in the one before. */
  public SeenOther seen() {
    return after.or(() -> before).orElseThrow();
  }

  /**
   * All of two runs, what matters first.
   *
   * @param looked whether both runs tell what threads wait for
   */
  static List<OtherChange> of(SeenRun before, SeenRun after, Tolerance tolerance, boolean looked) {
    Map<Identity, SeenOther> then = new LinkedHashMap<>();
    before.others().forEach(each -> then.put(each.identity(), each));
    List<OtherChange> changes = new ArrayList<>();
    for (SeenOther now : after.others()) {
      Optional<SeenOther> was = Optional.ofNullable(then.remove(now.identity()));
      if (looked || !now.needsLooks()) {
        changes.add(was.map(old -> both(old, now, tolerance)).orElseGet(() -> one(now, tolerance)));
      }
    }
    for (SeenOther was : then.values()) {
      if (looked || !was.needsLooks()) {
        changes.add(
            new OtherChange(
                Change.Kind.GONE, Optional.of(was), Optional.empty(), tolerance.isNotable(was)));
      }
    }
    changes.sort(
        Comparator.comparing((OtherChange change) -> !change.notable)
            .thenComparing(OtherChange::kind)
            .thenComparing(change -> change.seen().kind().isPresent())
            .thenComparing(change -> change.seen().identity().text()));
    return changes;
  }

  private static OtherChange one(SeenOther now, Tolerance tolerance) {
    return new OtherChange(
        Change.Kind.NEW, Optional.empty(), Optional.of(now), tolerance.isNotable(now));
  }

  private static OtherChange both(SeenOther was, SeenOther now, Tolerance tolerance) {
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
    return new OtherChange(kind, Optional.of(was), Optional.of(now), limits);
  }
}
