package io.github.vtdiag.advice;

import io.github.vtdiag.analysis.LockObjects;
import io.github.vtdiag.analysis.Overlap;
import java.util.Optional;

/**
 * How many locks the threads of a site have, as far as a recording tells.
 *
 * @param sharing whether they have one, some, or one each
 * @param atLeast so many are proven: different objects, or pins at the same moment
 * @param takeTurns whether they were seen about equally often, and more of them than carriers: a
 *     pool that hands them out in turn
 */
record LocksSeen(Sharing sharing, int atLeast, boolean takeTurns) {

  /** Whether threads waited to enter the monitor, which they do on no object of their own. */
  enum Entering {
    NOBODY,
    SOME,
    NOT_RECORDED
  }

  /** One that is hot has hardly ever two pins at a time; those beside it have others' locks. */
  private static final double HARDLY_EVER_TWO = 1.05;

  /** Fewer samples of an object do not show how often it was used. */
  private static final int SAMPLES_OF_EACH = 5;

  static LocksSeen none() {
    return new LocksSeen(Sharing.NO_LOCK, 0, false);
  }

  /**
   * Weighs what was seen of held monitors.
   *
   * @param atATime how many were held at a time, on average
   */
  static LocksSeen of(
      Optional<LockObjects> sampled,
      Optional<Overlap> overlap,
      double atATime,
      long passes,
      int carriers,
      Entering entering) {
    int atOnce = overlap.map(Overlap::pins).orElse(0);
    // One thread alone cannot show that an object is shared.
    Optional<LockObjects> telling = sampled.filter(seen -> seen.threads() > 1);
    int atLeast = Math.max(Math.max(atOnce, 1), telling.map(LockObjects::objects).orElse(0));
    boolean neverTwo = atOnce == 1 && carriers > 1 && passes >= Throughput.LEAST_PASSES;
    if (entering == Entering.SOME && neverTwo) {
      // It may be an outer one, whatever the objects of the innermost are.
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

  /** With carriers alone it cannot be told: so many are in use, whatever there are. */
  private static boolean takeTurns(LockObjects seen, int carriers) {
    return seen.objects() > carriers + 1
        && seen.samples() >= SAMPLES_OF_EACH * seen.objects()
        && seen.samplesOfRarest() * seen.objects() * 3 >= seen.samples();
  }
}
