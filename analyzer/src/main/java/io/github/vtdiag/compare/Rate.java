package io.github.vtdiag.compare;

/**
 * The rate of an event in one run.
 *
 * @param perSecond the number of events a second; 0 for none
 * @param least the smallest rate that this run could tell from none: a rate of 0 may be anything up
 *     to it
 */
public record Rate(double perSecond, double least) {

  /**
   * Returns the rate of a count over a measured time in which a single event would have been seen.
   */
  static Rate of(double count, long nanos) {
    return new Rate(count * 1e9 / nanos, 1e9 / nanos);
  }

  boolean isNone() {
    return perSecond == 0;
  }

  /** Returns the rate; of none, the most that it can be. */
  double atMost() {
    return isNone() ? least : perSecond;
  }
}
