package io.github.vtdiag.compare;

/**
 * How often something happened in one run.
 *
 * @param perSecond how often a second; 0 if never
 * @param least the least rate that this run could have told from none: of a rate of 0 it is known
 *     only that it is not above
 */
public record Rate(double perSecond, double least) {

  /** A count over a measured time, in which a single one would have been seen. */
  static Rate of(double count, long nanos) {
    return new Rate(count * 1e9 / nanos, 1e9 / nanos);
  }

  boolean isNone() {
    return perSecond == 0;
  }

  /** The rate; of none, the most that it can be. */
  double atMost() {
    return isNone() ? least : perSecond;
  }
}
