package io.github.vtdiag.baseline;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * What has changed of a run as a whole. A fix that lets more work through makes what comes after it
 * pin more often; only the whole tells that nothing became worse.
 *
 * @param blocked the carriers that were blocked at a time, on average
 * @param queued the virtual threads that waited for a carrier at a time, if both runs tell
 * @param work what both runs got done, if it is known and enough
 */
public record WholeChange(Pair blocked, Optional<Pair> queued, Optional<Work> work) {

  /** A figure of both runs. */
  public record Pair(double before, double after) {
    /** How many times what it was; 1 if it is 0 in both. */
    public double ratio() {
      return before == after ? 1 : after / before;
    }
  }

  /**
   * What both runs got done.
   *
   * @param methods the methods that the agent counted; none if it is threads
   * @param perSecond how much in a second
   */
  public record Work(Set<String> methods, Pair perSecond) {
    public Work {
      methods = Set.copyOf(methods);
    }
  }

  /** What the whole says. */
  public enum Verdict {
    BETTER,
    SAME,
    WORSE,
    /** Carriers are freer, but less was done: whether there was less to do, no recording tells. */
    MIXED
  }

  /** A smaller change of the whole is chance. */
  private static final double FACTOR = 1.25;

  /** So many more carriers that are blocked at a time, or threads that wait for one, are none. */
  private static final double CARRIERS = 0.1;

  private static final double THREADS = 1;

  /** Of fewer operations, their number a second is chance. */
  private static final long FEWEST = 20;

  private static final double SECOND = 1e9;

  /** Empty if one of the runs does not tell: an old baseline. */
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

  /** Methods that were chosen to be counted tell it better than threads. */
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

  /** How many times as much work a second there was; 1 if that is not known or chance. */
  public double moreWork() {
    double ratio = work.map(of -> of.perSecond.ratio()).orElse(1.0);
    return ratio > FACTOR || ratio < 1 / FACTOR ? ratio : 1;
  }

  /** The carrier time in seconds that was blocked for each piece of work. */
  public Optional<Pair> blockedPerWork() {
    return work.map(
        of -> new Pair(blocked.before / of.perSecond.before, blocked.after / of.perSecond.after));
  }

  /**
   * What all of it says. More work alone may be more of a load: it counts if there is less blocked
   * time for each piece of it, or less of a queue.
   */
  public Verdict verdict() {
    Verdict carriers = carriers();
    if (carriers != Verdict.SAME) {
      return carriers == Verdict.BETTER && moreWork() < 1 ? Verdict.MIXED : carriers;
    }
    return queued.map(threads -> of(threads, THREADS)).orElse(Verdict.SAME);
  }

  /** What was blocked, had there been as much work as before. */
  private Verdict carriers() {
    return of(new Pair(blocked.before, blocked.after / moreWork()), CARRIERS);
  }

  /** Whether it is not the blocked carriers that changed but the threads that wait for one. */
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
