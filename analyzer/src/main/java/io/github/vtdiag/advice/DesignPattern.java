package io.github.vtdiag.advice;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.PinCause;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * A change of design that takes a blocking call off a stack that holds its carrier: words, and when
 * they apply. Those there are stand in {@link DesignPatterns}.
 *
 * @param id as JSON names it
 * @param text what to do
 * @param why why that helps
 * @param reach what is off the stacks then
 * @param suits where it is the advice itself; code of the user's own that can take a lock is not
 *     asked about
 * @param besides where it is worth a thought beside another recommendation
 * @param ofMany how to say it of many places, where all of them, in whatever code, are one thing to
 *     do; empty where each library and each method is one by itself
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
   * Many places as one.
   *
   * @param title what they are
   * @param text what to do about all of them
   */
  public record Many(String title, String text) {}

  /** One that is said of each place by itself. */
  DesignPattern(
      String id,
      String text,
      String why,
      Reach reach,
      Predicate<Place> suits,
      BiPredicate<Pin, Recommendation> besides) {
    this(id, text, why, reach, suits, besides, Optional.empty());
  }

  /** What a pattern takes off the stacks. */
  enum Reach {
    /** This cause. */
    SITE,
    /** This cause, and all of the same class that are on stacks with it. */
    CLASS,
    /** This cause, and all of the same library that are on stacks with it. */
    LIBRARY
  }

  /**
   * A cause to advise on.
   *
   * @param own whether the user can change the code
   * @param ownCaller whether he can change the code that calls it: what is not to be changed can be
   *     used in another way
   */
  record Place(Site site, PinCause cause, boolean own, boolean ownCaller) {
    /** Whether a monitor holds the carrier, or is waited for. */
    boolean isMonitor() {
      return cause instanceof PinCause.HeldMonitor || cause instanceof PinCause.MonitorEntry;
    }

    boolean isInitialization() {
      return cause instanceof PinCause.ClassInitializer
          || cause instanceof PinCause.AwaitedInitialization;
    }
  }
}
