package io.github.vtdiag.advice;

import io.github.vtdiag.analysis.LockObjects;
import io.github.vtdiag.analysis.Overlap;
import java.util.Optional;

/**
 * The locks of a site's threads, as far as a recording shows them.
 *
 * @param sharing whether the threads have one lock, some, or one each
 * @param atLeast the number of locks that is proven by different objects, or by pins at the same
 *     moment
 * @param takeTurns whether the locks were seen about equally often, and there are more of them than
 *     carriers: a pool that hands them out in turn
 */
record LocksSeen(Sharing sharing, int atLeast, boolean takeTurns) {

  /** Observed waits to enter the monitor; one that others wait for is not each thread's own. */
  enum Entering {
    NOBODY,
    SOME,
    NOT_RECORDED
  }

  /**
   * The most pins at a time on average for a single contended lock; pins beside it have other
   * locks.
   */
  private static final double HARDLY_EVER_TWO = 1.05;

  /** The fewest samples of an object that show how often it was used. */
  private static final int SAMPLES_OF_EACH = 5;

  static LocksSeen none() {
    return new LocksSeen(Sharing.NO_LOCK, 0, false);
  }

  /** The locks of threads that wait for a free object of a known pool. */
  static LocksSeen borrowed() {
    return new LocksSeen(Sharing.BORROWED, 0, false);
  }

  /**
   * Infers the locks from held monitors.
   *
   * @param atATime the average number that were held at a time
   */
  static LocksSeen of(
      Optional<LockObjects> sampled,
      Optional<Overlap> overlap,
      double atATime,
      long passes,
      int carriers,
      Entering entering) {
    int atOnce = overlap.map(Overlap::pins).orElse(0);
    // A single thread cannot show that an object is shared.
    Optional<LockObjects> telling = sampled.filter(seen -> seen.threads() > 1);
    int atLeast = Math.max(Math.max(atOnce, 1), telling.map(LockObjects::objects).orElse(0));
    boolean neverTwo = atOnce == 1 && carriers > 1 && passes >= Throughput.LEAST_PASSES;
    if (entering == Entering.SOME && neverTwo) {
      // The one lock may be an outer one, whatever the objects of the innermost are.
      return new LocksSeen(Sharing.ONE_OBJECT, 1, false);
    }
    if (telling.isEmpty()) {
      return new LocksSeen(
          entering == Entering.SOME ? Sharing.CONTENDED : Sharing.NOT_SAMPLED, atLeast, false);
    }
    LockObjects seen = telling.get();
    if (atLeast == 1) {
      return new LocksSeen(Sharing.ONE_OBJECT, 1, false);
    }
    boolean own =
        seen.threadsOfBusiest() == 1
            || (seen.objectsOfSeveral() * 4 <= seen.objects()
                && seen.threadsOfBusiest() * 4 <= seen.threads());
    if (own && entering != Entering.SOME) {
      return new LocksSeen(Sharing.OWN_OBJECTS, atLeast, false);
    }
    return switch (entering) {
      case NOBODY -> new LocksSeen(Sharing.POOL, atLeast, takeTurns(seen, carriers));
      case SOME -> {
        boolean hot = seen.threadsOfBusiest() * 2 > seen.threads() && atATime <= HARDLY_EVER_TWO;
        yield new LocksSeen(hot ? Sharing.ONE_OBJECT : Sharing.SOME_SHARED, atLeast, false);
      }
      case NOT_RECORDED -> new LocksSeen(Sharing.SOME_SHARED, atLeast, false);
    };
  }

  /**
   * Returns whether objects are handed out in turn. As many as there are carriers show nothing:
   * that many are in use in any case.
   */
  private static boolean takeTurns(LockObjects seen, int carriers) {
    return seen.objects() > carriers + 1
        && seen.samples() >= SAMPLES_OF_EACH * seen.objects()
        && seen.samplesOfRarest() * seen.objects() * 3 >= seen.samples();
  }
}
