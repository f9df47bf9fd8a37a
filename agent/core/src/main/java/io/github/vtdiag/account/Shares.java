package io.github.vtdiag.account;

import io.github.vtdiag.account.Account.Share;
import io.github.vtdiag.account.Account.Source;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** The shares of a capacity, of which some are estimates from a number of looks. */
final class Shares {
  /** In 19 of 20 cases an estimate is no more than this many standard errors off. */
  static final double TWICE = 2;

  final double capacity;
  final double looks;
  final Map<Use, Share> all = new EnumMap<>(Use.class);

  Shares(double capacity, double looks) {
    this.capacity = capacity;
    this.looks = looks;
  }

  /**
   * Two standard errors of what so many looks found, as if they were independent; looks at what
   * lasts for longer than their period are nearer to the truth than that.
   */
  double error(double nanos) {
    if (capacity <= 0 || looks <= 0) {
      return 0;
    }
    double part = Math.clamp(nanos / capacity, 0.0, 1.0);
    // A look more of each kind, so that nothing is sure because it was not seen.
    double near = (part * looks + 1) / (looks + 2);
    return TWICE * capacity * Math.sqrt(near * (1 - near) / (looks + 2));
  }

  boolean isSame(double looked, double exact) {
    return Math.abs(looked - exact) <= error(Math.max(looked, exact));
  }

  static double part(double of, double all) {
    return all > 0 ? of / all : 0;
  }

  void add(Use use, double nanos, double error, boolean atLeast, Set<Source> sources) {
    all.put(use, new Share(use, Math.round(nanos), Math.round(error), atLeast, sources));
  }

  /** The amounts, with so much less of them: of the first as far as it goes, then of the next. */
  static double[] without(double less, double... amounts) {
    double left = less;
    double[] rest = new double[amounts.length];
    for (int i = 0; i < amounts.length; i++) {
      double taken = Math.min(left, amounts[i]);
      rest[i] = amounts[i] - taken;
      left -= taken;
    }
    return rest;
  }
}
