package io.github.vtdiag.findings;

import io.github.vtdiag.pin.SeenPool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How many there are of what threads wait for.
 *
 * @param name the pool's own name; empty if it has none
 * @param objects how many there may be
 * @param mostInUse how many were in use at the look that found most
 */
record Bound(String name, long objects, long mostInUse) {
  /** Pools that lend out objects of a pool of commons-pool2, which says so. */
  private static final Set<String> ON_COMMONS_POOL = Set.of("DBCP2", "Jedis", "Lettuce");

  private static final String COMMONS_POOL = "commons-pool2";

  /** Is in the names that c3p0 makes up, which differ from run to run. */
  private static final String MADE_UP = "|";

  /** Who waits was there at nearly all looks: then it can be taken that all are always in use. */
  private static final double NEARLY_ALL = 0.9;

  private static final double TWICE = 2;

  /**
   * The bound of the pool that threads wait for; empty if none said it, or if it may be any of
   * several.
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
   * For each time that one has it, how many times as long a thread waits, on average: by Little's
   * law, as many wait as come through in that time. Empty if it is not seen that all are always in
   * use.
   *
   * @param waiting how many threads wait at a time
   * @param ofLooks the part of the looks that saw any
   */
  Optional<Double> waitsPerUse(double waiting, double ofLooks) {
    return isReached() && ofLooks >= NEARLY_ALL ? Optional.of(waiting / objects) : Optional.empty();
  }

  /** How many times as many could come through with twice as many, at most. */
  double twice(double waiting) {
    return Math.min(TWICE, (objects + waiting) / objects);
  }
}
