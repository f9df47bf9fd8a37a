package io.github.vtdiag.experiment;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The delay from which virtual threads do more tasks a second than the pool.
 *
 * @param millis between two of the delays that were measured; empty if one of both was ahead at all
 *     of them
 * @param virtualAtLast whether virtual threads were ahead at the longest delay
 */
record CrawlerCrossover(OptionalDouble millis, boolean virtualAtLast) {
  /** The tasks a second of both at one delay. */
  record Point(double millis, double virtual, double pool) {
    /** Returns the milliseconds by which a task takes longer on a virtual thread, on average. */
    private double lag() {
      return 1_000 / virtual - 1_000 / pool;
    }
  }

  /**
   * Finds the crossover. The time per task grows in proportion to the delay: on the pool a task
   * takes its delays and its own work, over the number of threads. So this time is taken to lie on
   * a straight line between two delays, not its inverse, the rate.
   *
   * <p>If one overtakes the other several times, which is noise, the last time counts: from there
   * on virtual threads stay ahead.
   *
   * @param points in the order of their delays
   */
  static CrawlerCrossover of(List<Point> points) {
    OptionalDouble millis = OptionalDouble.empty();
    for (int i = 1; i < points.size(); i++) {
      Point from = points.get(i - 1);
      Point to = points.get(i);
      if (from.lag() >= 0 && to.lag() < 0) {
        double share = from.lag() / (from.lag() - to.lag());
        millis = OptionalDouble.of(from.millis() + share * (to.millis() - from.millis()));
      }
    }
    boolean virtualAtLast = points.getLast().lag() < 0;
    return new CrawlerCrossover(virtualAtLast ? millis : OptionalDouble.empty(), virtualAtLast);
  }
}
