package io.github.vtdiag.verdict;

import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Gap;
import java.util.Optional;
import java.util.Set;

/**
 * The bottleneck of the program.
 *
 * @param kind which of the answers it is
 * @param carriers whether carriers were the bottleneck
 * @param sure whether virtual threads were seen to wait for a carrier; without that, occupied
 *     carriers are only likely to have been the bottleneck
 * @param part the part of the carriers' time that the answer is about: if carriers were the
 *     bottleneck, of the time in which threads waited for one, else of all of it
 * @param other the finding that was the bottleneck, if it is not a pin
 * @param culprit of {@link Bottleneck#PINNED}, if it is sure, what pinned the carriers for most of
 *     the pinned time; empty if there is no single cause. For {@link Bottleneck#FULL_QUEUE}, what
 *     keeps its consumers; for {@link Bottleneck#POOL}, its users; empty if they are not pinned.
 *     For {@link Bottleneck#SOME_PINS}, the pinned waits for a pool, if they are most of the time
 * @param why of {@link Bottleneck#NOT_KNOWN}, what was not recorded
 * @param stall of {@link Bottleneck#NOT_KNOWN}, the threads that may have stood still at the end
 */
public record Conclusion(
    Bottleneck kind,
    boolean carriers,
    boolean sure,
    double part,
    Optional<Finding.Behavior> other,
    Optional<Culprit> culprit,
    Set<Missing> why,
    Optional<Gap> stall) {

  public Conclusion {
    why = Set.copyOf(why);
  }

  /** Returns whether it already says that these threads may have stood still. */
  public boolean says(Gap possibleStall) {
    return stall.equals(Optional.of(possibleStall));
  }

  static Conclusion limit(Bottleneck kind, boolean sure, double part, Optional<Culprit> culprit) {
    return new Conclusion(
        kind, true, sure, part, Optional.empty(), culprit, Set.of(), Optional.empty());
  }

  static Conclusion limit(
      Bottleneck kind,
      Finding.Behavior other,
      Optional<Culprit> culprit,
      boolean sure,
      double part) {
    return new Conclusion(
        kind, false, sure, part, Optional.of(other), culprit, Set.of(), Optional.empty());
  }

  static Conclusion noLimit(Bottleneck kind, double part) {
    return noLimit(kind, part, Optional.empty());
  }

  static Conclusion noLimit(Bottleneck kind, double part, Optional<Culprit> culprit) {
    return new Conclusion(
        kind, false, true, part, Optional.empty(), culprit, Set.of(), Optional.empty());
  }

  static Conclusion notKnown(double part, Set<Missing> why) {
    return new Conclusion(
        Bottleneck.NOT_KNOWN,
        false,
        false,
        part,
        Optional.empty(),
        Optional.empty(),
        why,
        Optional.empty());
  }

  static Conclusion mayStall(Gap stall) {
    return new Conclusion(
        Bottleneck.NOT_KNOWN,
        false,
        false,
        0,
        Optional.empty(),
        Optional.empty(),
        Set.of(),
        Optional.of(stall));
  }
}
