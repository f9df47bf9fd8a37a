package io.github.vtdiag.pin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How many virtual threads waited for one thing at one place, over all looks of a recording. What
 * is said of it counts threads that were not looked at as well, in proportion.
 */
public final class WaitTally {
  /** Fewer looks tell nothing. */
  public static final int FEWEST_LOOKS = 3;

  /** Of the threads that have something to do; fewer slow nobody down but themselves. */
  public static final double LEAST_SHARE = 0.05;

  /** What was seen this often is no accident of the lot. */
  private static final int FEWEST_SIGHTINGS = 5;

  /** Two at a time may meet by chance. */
  private static final double FEWEST_THREADS = 2;

  /** So many looks in a row are no burst, where they are a good part of the time. */
  private static final int IN_A_ROW = 3;

  private static final double BURST = 0.1;

  private final Map<Long, Integer> byLook = new HashMap<>();
  private long sightings;

  /**
   * What a tally says of all looks.
   *
   * @param mean how many threads waited at a time
   * @param most how many at the worst of the looks
   * @param error how far off the mean can be, in 19 of 20 cases
   * @param looks at which part of the looks any waited, 0 to 1
   */
  public record Crowd(double mean, double most, double error, double looks) {}

  /** Adds threads that a look saw waiting. */
  public void add(WaitLook look, int threads) {
    byLook.merge(look.number(), threads, Integer::sum);
    sightings += threads;
  }

  /** How often a thread was seen waiting. */
  public long sightings() {
    return sightings;
  }

  /** How many threads one that was looked at stands for. */
  public static double scale(WaitLook look) {
    return look.looked() == 0 ? 0 : (double) look.alive() / look.looked();
  }

  /**
   * What it says of all looks of the recording; empty if so few threads waited, or for so short,
   * that it may be an accident or a burst.
   */
  public Optional<Crowd> of(List<WaitLook> looks) {
    if (sightings < FEWEST_SIGHTINGS || !lasts(looks)) {
      return Optional.empty();
    }
    double mean = 0;
    double most = 0;
    double squares = 0;
    int all = looks.size();
    for (WaitLook look : looks) {
      double threads = byLook.getOrDefault(look.number(), 0) * scale(look);
      mean += threads / all;
      squares += threads * threads / all;
      most = Math.max(most, threads);
    }
    // Of the mean over looks that each saw something else.
    double error = 2 * Math.sqrt(Math.max(0, squares - mean * mean) / Math.max(1, all - 1));
    return mean < FEWEST_THREADS
        ? Optional.empty()
        : Optional.of(new Crowd(mean, most, error, (double) byLook.size() / all));
  }

  /** Half of the time, or several looks in a row that are a good part of it. */
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
