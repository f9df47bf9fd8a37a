package io.github.vtdiag.compare;

import java.util.List;
import java.util.OptionalDouble;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The factor by which something changed, over pairs of runs.
 *
 * @param estimate the geometric mean of the pairs' ratios, after to before; empty if there was none
 *     in a run, for then there is no such mean
 * @param low the lower end of the 95% confidence interval; 0 if it has none
 * @param high its upper end; infinite if it has none
 */
public record Ratio(OptionalDouble estimate, double low, double high) {
  private static final double CONFIDENCE = 0.95;

  /**
   * Returns the ratio with the interval of Student's t over the logarithms of the pairs' ratios:
   * speed-ups multiply, and what the two runs of a pair have in common cancels out.
   *
   * @param before the figure of each pair's run as it is; positive
   * @param after the figure of each pair's run with the change, in the same order
   */
  static Ratio of(double[] before, double[] after) {
    int pairs = before.length;
    if (pairs < 2 || after.length != pairs) {
      throw new IllegalArgumentException("an interval needs two pairs or more");
    }
    double[] logs = new double[pairs];
    double sum = 0;
    for (int i = 0; i < pairs; i++) {
      logs[i] = Math.log(after[i] / before[i]);
      sum += logs[i];
    }
    double mean = sum / pairs;
    double squares = 0;
    for (double log : logs) {
      squares += (log - mean) * (log - mean);
    }
    double standardError = Math.sqrt(squares / (pairs - 1) / pairs);
    double t = TDistribution.of(pairs - 1).inverseSurvivalProbability((1 - CONFIDENCE) / 2);
    double half = t * standardError;
    return new Ratio(
        OptionalDouble.of(Math.exp(mean)), Math.exp(mean - half), Math.exp(mean + half));
  }

  /**
   * Returns the same of rates, of which some may be none. Of none only a bound is known, so one end
   * of the interval is open. Where there was none before, the bound in its place makes each ratio
   * too small, so the lower end stays a lower end.
   */
  static Ratio of(List<Rate> before, List<Rate> after) {
    Ratio bounded = of(atMost(before), atMost(after));
    boolean noneBefore = before.stream().anyMatch(Rate::isNone);
    boolean noneAfter = after.stream().anyMatch(Rate::isNone);
    return new Ratio(
        noneBefore || noneAfter ? OptionalDouble.empty() : bounded.estimate,
        noneAfter ? 0 : bounded.low,
        noneBefore ? Double.POSITIVE_INFINITY : bounded.high);
  }

  private static double[] atMost(List<Rate> rates) {
    return rates.stream().mapToDouble(Rate::atMost).toArray();
  }

  /** Returns the same change the other way round: before to after. */
  Ratio inverse() {
    return new Ratio(
        estimate.isPresent() ? OptionalDouble.of(1 / estimate.getAsDouble()) : estimate,
        1 / high,
        1 / low);
  }
}
