package io.github.vtdiag.account;

import io.github.vtdiag.account.Account.Share;
import io.github.vtdiag.account.Account.Source;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** The shares of a capacity, some of which are estimated from a number of samples. */
final class Shares {
  /** The standard errors on either side of an estimate in a 95% interval. */
  static final double TWICE = 2;

  final double capacity;
  final double looks;
  final Map<Use, Share> all = new EnumMap<>(Use.class);

  Shares(double capacity, double looks) {
    this.capacity = capacity;
    this.looks = looks;
  }

  /**
   * Returns two standard errors of an estimate from these samples, as if they were independent.
   * Samples of what lasts longer than their period are more accurate than that.
   */
  double error(double nanos) {
    if (capacity <= 0 || looks <= 0) {
      return 0;
    }
    double part = Math.clamp(nanos / capacity, 0.0, 1.0);
    // One more sample of each kind, so that an estimate of 0 is not taken as certain.
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

  /** Returns the amounts reduced by {@code less} together: the first down to 0, then the next. */
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
