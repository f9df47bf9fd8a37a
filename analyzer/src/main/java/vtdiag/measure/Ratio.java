package vtdiag.measure;

import org.apache.commons.statistics.distribution.TDistribution;

/**
 * By what factor something changed, over pairs of runs.
 *
 * @param estimate the geometric mean of the pairs' ratios, after to before
 * @param low the lower end of the 95% confidence interval
 * @param high its upper end
 */
public record Ratio(double estimate, double low, double high) {
  private static final double CONFIDENCE = 0.95;

  /**
   * The interval of Student's t over the logarithms of the pairs' ratios: speed-ups multiply, and
   * what the two runs of a pair have in common cancels out.
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
    return new Ratio(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
  }

  /** The same change told the other way round: before to after. */
  Ratio inverse() {
    return new Ratio(1 / estimate, 1 / high, 1 / low);
  }
}
