package io.github.vtdiag.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Whether a command costs at most so many times the processor time of another: the median of up to
 * three pairs. Pairs that cannot change the verdict are not run.
 */
public final class CostCheck {
  private static final int PAIRS = 3;

  /** One pair that is so many times beyond the limit is enough: no noise explains it. */
  private static final double CLEAR = 2;

  /**
   * So many times below it one pair is enough, too: what else the machine does makes the longer of
   * the two dearer, if any, and what is only just beyond the limit fails in one of the next builds.
   */
  private static final double BELOW = 1.25;

  /** A command that takes so many times what it may is ended. */
  private static final double ENOUGH = 3;

  /** A command that can be run again and again. */
  @FunctionalInterface
  public interface Command {
    /**
     * Runs it.
     *
     * @param maxSeconds the processor time beyond which it is ended
     */
    ProcessorTime run(int maxSeconds) throws IOException, InterruptedException;
  }

  private final String what;
  private final String reference;
  private final double limit;
  private final List<Double> ratios = new ArrayList<>();
  private double measuredSeconds;
  private double referenceSeconds;
  private boolean cut;

  CostCheck(String what, String reference, double limit) {
    this.what = what;
    this.reference = reference;
    this.limit = limit;
  }

  /** Runs pairs until the verdict is certain, and prints it. */
  public static CostCheck of(
      String what, Command measured, String referenceName, Command reference, double limit)
      throws IOException, InterruptedException {
    CostCheck check = new CostCheck(what, referenceName, limit);
    while (!check.decided()) {
      ProcessorTime base = reference.run(60);
      int most = (int) Math.ceil(Math.max(base.seconds(), 0.1) * limit * ENOUGH) + 1;
      ProcessorTime cost = measured.run(most);
      check.add(cost.seconds(), base.seconds());
      check.cut |= cost.cut();
    }
    System.out.println(check);
    return check;
  }

  void add(double measured, double base) {
    measuredSeconds = measured;
    referenceSeconds = base;
    ratios.add(measured / Math.max(base, 0.01)); // What the shell's clock can tell at least.
  }

  boolean decided() {
    if (ratios.isEmpty()) {
      return false;
    }
    double first = ratios.getFirst();
    long over = ratios.stream().filter(ratio -> ratio > limit).count();
    return first < limit / BELOW
        || first > limit * CLEAR
        || over > PAIRS / 2
        || ratios.size() - over > PAIRS / 2;
  }

  /** The median of the pairs' ratios; of two, which agree, the greater. */
  public double ratio() {
    List<Double> sorted = ratios.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  /** Whether it costs more than it may. */
  public boolean tooDear() {
    return ratio() > limit;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "[cost] %s: %s%.2f times the processor time of %s (limit %.1f; pairs: %s; last pair: %.2f"
            + " and %.2f s)",
        what,
        cut ? "more than " : "",
        ratio(),
        reference,
        limit,
        ratios.stream()
            .map(ratio -> String.format(Locale.ROOT, "%.2f", ratio))
            .collect(Collectors.joining(", ")),
        measuredSeconds,
        referenceSeconds);
  }
}
