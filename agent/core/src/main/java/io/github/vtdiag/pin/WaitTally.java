package io.github.vtdiag.pin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The number of virtual threads that waited for one thing at one place, over all snapshots. Its
 * figures are scaled up to threads that were not examined.
 */
public final class WaitTally {
  /** The fewest snapshots that allow a conclusion. */
  public static final int FEWEST_LOOKS = 3;

  /**
   * The smallest share of the threads that have something to do. Fewer threads slow only
   * themselves.
   */
  public static final double LEAST_SHARE = 0.05;

  /** The smallest share that is worth a finding for waits that most programs have. */
  public static final double MOST = 0.5;

  /** The fewest sightings that count: the threads are chosen at random, so fewer may be chance. */
  private static final int FEWEST_SIGHTINGS = 5;

  /** The smallest mean number of threads; two at a time may meet by chance. */
  private static final double FEWEST_THREADS = 2;

  /** The consecutive snapshots that are more than a burst, if they are much of the time. */
  private static final int IN_A_ROW = 3;

  private static final double BURST = 0.1;

  private final Map<Long, Integer> byLook = new HashMap<>();
  private long sightings;

  /**
   * The figures of a tally over all snapshots.
   *
   * @param mean the mean number of waiting threads
   * @param most the largest number in a snapshot
   * @param error half the width of the 95% interval of the mean
   * @param looks the part of the snapshots with waiting threads, 0 to 1
   */
  public record Crowd(double mean, double most, double error, double looks) {}

  /** Adds threads that a snapshot found waiting. */
  public void add(WaitLook look, int threads) {
    byLook.merge(look.number(), threads, Integer::sum);
    sightings += threads;
  }

  /** Returns whether a snapshot found threads waiting. */
  public boolean isIn(WaitLook look) {
    return byLook.containsKey(look.number());
  }

  /** Returns how often a thread was seen waiting. */
  public long sightings() {
    return sightings;
  }

  /** Returns the number of threads that an examined one stands for. */
  public static double scale(WaitLook look) {
    return look.looked() == 0 ? 0 : (double) look.alive() / look.looked();
  }

  /**
   * Returns the figures over all snapshots of the recording. Empty if so few threads waited, or for
   * so short, that it may be a coincidence or a burst.
   */
  public Optional<Crowd> of(List<WaitLook> looks) {
    return few(looks).filter(crowd -> crowd.mean() >= FEWEST_THREADS);
  }

  /** Returns the same also for a single thread. What slows nobody else may still never end. */
  public Optional<Crowd> few(List<WaitLook> looks) {
    if (sightings < FEWEST_SIGHTINGS || !lasts(looks)) {
      return Optional.empty();
    }
    double sum = 0;
    double most = 0;
    double squares = 0;
    int all = looks.size();
    for (WaitLook look : looks) {
      double threads = byLook.getOrDefault(look.number(), 0) * scale(look);
      sum += threads;
      squares += threads * threads / all;
      most = Math.max(most, threads);
    }
    // The sum of equal numbers is rounded, so that its share may be above each of them.
    double mean = Math.min(most, sum / all);
    // The error of the mean, as if the snapshots were independent.
    double error = 2 * Math.sqrt(Math.max(0, squares - mean * mean) / Math.max(1, all - 1));
    return Optional.of(new Crowd(mean, most, error, (double) byLook.size() / all));
  }

  /**
   * Returns whether it is half of the time, or several snapshots in a row and a good part of it.
   */
  private boolean lasts(List<WaitLook> looks) {
    int row = 0;
    int longest = 0;
    for (WaitLook look : looks) {
      row = byLook.containsKey(look.number()) ? row + 1 : 0;
      longest = Math.max(longest, row);
    }
    int all = looks.size();
    return byLook.size() * 2 >= all || (longest >= IN_A_ROW && longest >= BURST * all);
  }
}
