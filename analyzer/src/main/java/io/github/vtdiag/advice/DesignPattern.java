package io.github.vtdiag.advice;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.PinCause;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * A change of design that takes a blocking call off a stack that holds its carrier: its words and
 * when it applies. All patterns are in {@link DesignPatterns}.
 *
 * @param id the name in JSON
 * @param text what to do
 * @param why why that helps
 * @param reach the causes that are off the stacks then
 * @param suits tests whether it is the advice for a place; the user's own code that can take a lock
 *     is not tested
 * @param besides tests whether it is an alternative to another recommendation
 * @param ofMany the words for many places if they are, in whatever code, one thing to do; empty if
 *     each library and each method needs its own change
 */
public record DesignPattern(
    String id,
    String text,
    String why,
    Reach reach,
    Predicate<Place> suits,
    BiPredicate<Pin, Recommendation> besides,
    Optional<Many> ofMany) {

  /**
   * The words for many places together.
   *
   * @param title what they are
   * @param text what to do about all of them
   */
  public record Many(String title, String text) {}

  /** Makes a pattern whose places are reported one by one. */
  DesignPattern(
      String id,
      String text,
      String why,
      Reach reach,
      Predicate<Place> suits,
      BiPredicate<Pin, Recommendation> besides) {
    this(id, text, why, reach, suits, besides, Optional.empty());
  }

  /** The causes that a pattern takes off the stacks. */
  enum Reach {
    /** The cause. */
    SITE,
    /** The cause, and all of the same class that are on stacks with it. */
    CLASS,
    /** The cause, and all of the same library that are on stacks with it. */
    LIBRARY
  }

  /**
   * A cause to advise on.
   *
   * @param own whether the user can change the code
   * @param ownCaller whether the user can change the code that calls it: code that cannot be
   *     changed can be used in another way
   */
  record Place(Site site, PinCause cause, boolean own, boolean ownCaller) {
    /** Returns whether a monitor holds the carrier, or is waited for. */
    boolean isMonitor() {
      return cause instanceof PinCause.HeldMonitor || cause instanceof PinCause.MonitorEntry;
    }

    boolean isInitialization() {
      return cause instanceof PinCause.ClassInitializer
          || cause instanceof PinCause.AwaitedInitialization;
    }
  }
}
