package io.github.vtdiag.baseline;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * The change of a run as a whole. A fix that lets more work through makes what comes after it pin
 * more often; only the whole shows that nothing became worse.
 *
 * @param blocked the number of blocked carriers, on average
 * @param queued the number of virtual threads that waited for a carrier, on average, if both runs
 *     tell
 * @param work the work of both runs, if it is known and enough
 */
public record WholeChange(Pair blocked, Optional<Pair> queued, Optional<Work> work) {

  /** A figure of both runs. */
  public record Pair(double before, double after) {
    /** Returns the second figure as a multiple of the first; 1 if both are 0. */
    public double ratio() {
      return before == after ? 1 : after / before;
    }
  }

  /**
   * The work of both runs.
   *
   * @param methods the methods that the agent counted; none if it counted threads
   * @param perSecond the work in a second
   */
  public record Work(Set<String> methods, Pair perSecond) {
    public Work {
      methods = Set.copyOf(methods);
    }
  }

  /** The verdict on the whole. */
  public enum Verdict {
    BETTER,
    SAME,
    WORSE,
    /** Carriers are freer, but less was done: whether there was less to do, no recording tells. */
    MIXED
  }

  /** The smallest change of the whole that is more than chance. */
  private static final double FACTOR = 1.25;

  /**
   * The smallest number of blocked carriers, or of threads that wait for one, that is more than
   * none.
   */
  private static final double CARRIERS = 0.1;

  private static final double THREADS = 1;

  /** The fewest operations whose rate is more than chance. */
  private static final long FEWEST = 20;

  private static final double SECOND = 1e9;

  /** Compares two runs; empty if one of them does not tell, as an old baseline. */
  static Optional<WholeChange> of(RunSummary before, RunSummary after) {
    long then = before.conditions().durationNanos();
    long now = after.conditions().durationNanos();
    if (before.totals().isEmpty() || after.totals().isEmpty() || then <= 0 || now <= 0) {
      return Optional.empty();
    }
    Totals one = before.totals().get();
    Totals two = after.totals().get();
    return Optional.of(
        new WholeChange(
            new Pair((double) one.blockedNanos() / then, (double) two.blockedNanos() / now),
            pair(one.queued(), two.queued()),
            work(one, two, then / SECOND, now / SECOND)));
  }

  private static Optional<Pair> pair(OptionalDouble before, OptionalDouble after) {
    return before.isPresent() && after.isPresent()
        ? Optional.of(new Pair(before.getAsDouble(), after.getAsDouble()))
        : Optional.empty();
  }

  /**
   * Returns the work by the methods that were chosen to be counted, which tell it better than
   * threads.
   */
  private static Optional<Work> work(
      Totals before, Totals after, double secondsBefore, double secondsAfter) {
    Set<String> methods = new TreeSet<>(before.work().keySet());
    methods.retainAll(after.work().keySet());
    boolean threads = methods.remove(Totals.THREADS);
    return work(methods, before, after, secondsBefore, secondsAfter)
        .or(
            () ->
                threads
                    ? work(Set.of(Totals.THREADS), before, after, secondsBefore, secondsAfter)
                        .map(of -> new Work(Set.of(), of.perSecond))
                    : Optional.empty());
  }

  private static Optional<Work> work(
      Set<String> names, Totals before, Totals after, double secondsBefore, double secondsAfter) {
    long then = names.stream().mapToLong(before.work()::get).sum();
    long now = names.stream().mapToLong(after.work()::get).sum();
    return Math.min(then, now) < FEWEST
        ? Optional.empty()
        : Optional.of(new Work(names, new Pair(then / secondsBefore, now / secondsAfter)));
  }

  /**
   * Returns the work a second as a multiple of the run before; 1 if that is not known or chance.
   */
  public double moreWork() {
    double ratio = work.map(of -> of.perSecond.ratio()).orElse(1.0);
    return ratio > FACTOR || ratio < 1 / FACTOR ? ratio : 1;
  }

  /** Returns the carrier time in seconds that was blocked for each piece of work. */
  public Optional<Pair> blockedPerWork() {
    return work.map(
        of -> new Pair(blocked.before / of.perSecond.before, blocked.after / of.perSecond.after));
  }

  /**
   * Returns the verdict on the whole. More work alone may be a higher load: it counts only with
   * less blocked time for each piece of it, or a shorter queue.
   */
  public Verdict verdict() {
    Verdict carriers = carriers();
    Verdict whole =
        carriers == Verdict.SAME
            ? queued.map(threads -> of(threads, THREADS)).orElse(Verdict.SAME)
            : carriers;
    // With less work fewer threads are queued in any case.
    return whole == Verdict.BETTER && moreWork() < 1 ? Verdict.MIXED : whole;
  }

  /** Judges the blocked time that there would be for as much work as before. */
  private Verdict carriers() {
    return of(new Pair(blocked.before, blocked.after / moreWork()), CARRIERS);
  }

  /**
   * Returns whether the verdict is due to the threads that wait for a carrier, not to the blocked
   * carriers.
   */
  public boolean isDecidedByQueue() {
    return carriers() == Verdict.SAME && verdict() != Verdict.SAME;
  }

  private static Verdict of(Pair figure, double floor) {
    if (Math.abs(figure.after - figure.before) <= floor) {
      return Verdict.SAME;
    }
    return figure.after > FACTOR * figure.before
        ? Verdict.WORSE
        : figure.before > FACTOR * figure.after ? Verdict.BETTER : Verdict.SAME;
  }
}
