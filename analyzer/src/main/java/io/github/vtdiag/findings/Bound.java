package io.github.vtdiag.findings;

import io.github.vtdiag.pin.SeenPool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The bound of a pool that threads wait for.
 *
 * @param name the pool's own name; empty if it has none
 * @param objects the most objects there may be
 * @param mostInUse the most objects in use in any sample
 */
record Bound(String name, long objects, long mostInUse) {
  /** Pools whose objects come from a pool of commons-pool2, which reports the bound. */
  private static final Set<String> ON_COMMONS_POOL = Set.of("DBCP2", "Jedis", "Lettuce");

  private static final String COMMONS_POOL = "commons-pool2";

  /** A character in the names that c3p0 makes up, which differ from run to run. */
  private static final String MADE_UP = "|";

  /**
   * The least part of the samples with waiting threads that shows that all objects are always in
   * use.
   */
  private static final double NEARLY_ALL = 0.9;

  private static final double TWICE = 2;

  /**
   * Returns the bound of the pool that threads wait for; empty if no pool reported it, or if it may
   * be any of several.
   *
   * @param subject the sort of pool
   */
  static Optional<Bound> of(String subject, List<SeenPool> pools) {
    Map<String, Bound> bounds = new HashMap<>();
    for (SeenPool pool : pools) {
      boolean same =
          pool.pool().equals(subject)
              || (pool.pool().equals(COMMONS_POOL) && ON_COMMONS_POOL.contains(subject));
      if (same && pool.waiting() != 0) {
        bounds.merge(
            pool.name(),
            new Bound(pool.name(), pool.bound(), pool.inUse()),
            (one, two) -> new Bound(one.name, two.objects, Math.max(one.mostInUse, two.mostInUse)));
      }
    }
    return bounds.size() == 1
        ? bounds.values().stream().findFirst().map(Bound::withGivenName)
        : Optional.empty();
  }

  private Bound withGivenName() {
    return name.contains(MADE_UP) ? new Bound("", objects, mostInUse) : this;
  }

  boolean isReached() {
    return mostInUse >= objects;
  }

  /**
   * Returns how many times as long a thread waits for an object as it uses it, on average. By
   * Little's law, that is the number of waiting threads for each object. Empty if it was not seen
   * that all objects are always in use.
   *
   * @param waiting the number of threads that wait at a time
   * @param ofLooks the part of the samples with waiting threads
   */
  Optional<Double> waitsPerUse(double waiting, double ofLooks) {
    return isReached() && ofLooks >= NEARLY_ALL ? Optional.of(waiting / objects) : Optional.empty();
  }

  /** Returns the factor by which twice the objects could raise the throughput, at most. */
  double twice(double waiting) {
    return Math.min(TWICE, (objects + waiting) / objects);
  }
}
