package vtdiag.advice;

import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * The model of a pinned section: {@code threads} threads come back to it for ever (a closed
 * system), each pass holds a carrier for {@code hold} seconds. {@code docs/advice.md} derives it.
 *
 * @param carriers the carriers there are
 * @param threads the threads that passed
 * @param waiting how many waited for a carrier at a time; empty if that is not known
 * @param passes how often they did
 * @param pinnedNanos the carrier time that took
 * @param allPinnedNanos the carrier time of all pins of the recording
 * @param freedNanos the part of it that will be free
 * @param activeNanos how long this went on
 * @param hiddenNanos shorter pins were not recorded
 */
record Throughput(
    int carriers,
    int threads,
    OptionalDouble waiting,
    long passes,
    long pinnedNanos,
    long allPinnedNanos,
    long freedNanos,
    long activeNanos,
    long hiddenNanos) {

  /** Fewer passes tell no rate. */
  static final int LEAST_PASSES = 30;

  /** Below this share carriers were not what limited the throughput. */
  static final double SATURATED = 0.8;

  /** A share of the carriers above this is one with carriers added for Object.wait. */
  private static final double ALL = 1.02;

  /** What may stay pinned without changing the picture. */
  private static final double NEARLY_ALL_FREED = 0.9;

  Prediction predict(Sharing sharing) {
    if (passes < LEAST_PASSES || activeNanos <= 0) {
      return new Prediction.None("too few pins were recorded to tell a rate");
    }
    double seconds = (double) activeNanos / TimeUnit.SECONDS.toNanos(1);
    double hold = (double) pinnedNanos / passes / TimeUnit.SECONDS.toNanos(1);
    double now = passes / seconds;
    double busy = (double) allPinnedNanos / activeNanos / carriers;
    if (hiddenNanos * 2 > pinnedNanos / passes) {
      return new Prediction.None("the threshold hid pins that are about as long as these");
    }
    if (busy > ALL) {
      return new Prediction.None(
          "more carriers were blocked at a time than the scheduler's parallelism");
    }
    if (busy < SATURATED) {
      return new Prediction.None(
          "carriers were not all blocked, so they did not limit the throughput");
    }
    if (freedNanos < allPinnedNanos * NEARLY_ALL_FREED) {
      return new Prediction.None("other pins would still hold carriers");
    }
    if (passes < 2L * threads) {
      return new Prediction.None(
          "each thread came once, so the load sets the throughput, not the pins");
    }
    if (waiting.isEmpty() && threads <= carriers) {
      return new Prediction.None(
          "no more threads passed than there are carriers, and how many waited is not known; record"
              + " with vtdiag's agent");
    }
    // Carrier time that was not pinned: at most so much went into the work of a pass.
    double demand = Math.max(0, 1 - busy) / now;
    // Who waited for a carrier beside those that had one may have been on the way here. As many
    // as passed here may be the same.
    long more = Math.max(0, carriers + Math.round(waiting.orElse(0)) - threads);
    double ownLocks = (threads + more) / hold;
    double queued = threads / (hold + threads * demand);
    double oneLock = 1 / hold;
    return switch (sharing) {
      case ONE_OBJECT ->
          new Prediction.Range(
              now,
              Math.min(now, oneLock),
              Math.max(now, oneLock),
              "one lock lets one thread pass at a time");
      case OWN_OBJECTS, NO_LOCK ->
          new Prediction.Range(
              now,
              Math.min(Math.max(now, queued), ownLocks),
              ownLocks,
              (more == 0
                      ? "the same threads come back at once"
                      : "the same threads come back at once, with none to all of "
                          + more
                          + " others that waited for a carrier")
                  + ", each pass waits as long as now, and no new limit appears");
      case NOT_SAMPLED ->
          new Prediction.Range(
              now,
              now,
              Math.max(now, ownLocks),
              "from one lock for all threads, where nothing changes, to a lock for each");
      case SOME_SHARED, CONTENDED ->
          new Prediction.None("how many locks the threads share is not known");
    };
  }
}
