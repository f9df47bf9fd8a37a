package io.github.vtdiag.advice;

import io.github.vtdiag.model.Figures;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * A model of a pinned section: {@code threads} threads return to it again and again (a closed
 * system), and each pass holds a carrier for {@code hold} seconds. {@code docs/advice.md} derives
 * it.
 *
 * @param carriers the number of carriers
 * @param threads the number of threads that passed
 * @param atATime the average number of these threads at a time, from first pass to last
 * @param waiting the most threads that were queued at a time; empty if that is not known
 * @param passes the number of passes
 * @param pinnedNanos the carrier time of the passes
 * @param allPinnedNanos the carrier time of all pins of the recording
 * @param freedNanos the part of it that will be free
 * @param activeNanos the time from the first pass to the last
 * @param hiddenNanos the duration below which pins were not recorded
 */
record Throughput(
    int carriers,
    int threads,
    double atATime,
    OptionalDouble waiting,
    long passes,
    long pinnedNanos,
    long allPinnedNanos,
    long freedNanos,
    long activeNanos,
    long hiddenNanos) {

  /** The fewest passes that give a rate. */
  static final int LEAST_PASSES = 30;

  /** The share of the carriers below which they were not the bottleneck. */
  static final double SATURATED = 0.8;

  /** The largest share of the carriers without extra ones, which the JDK adds for Object.wait. */
  private static final double ALL = 1.02;

  /** The least part of the pinned time that must be freed; the rest makes no difference. */
  private static final double NEARLY_ALL_FREED = 0.9;

  /** The ratio of most to least above which the range explains itself. */
  private static final double WIDE = 10;

  /** Bounds for the passes per second, with the reasons for them. */
  private record Bounds(double least, double most, String assumption, String whyWide) {}

  Prediction predict(LocksSeen locks) {
    if (passes < LEAST_PASSES || activeNanos <= 0) {
      return new Prediction.None("too few pins were recorded to tell a rate");
    }
    if (hiddenNanos * 2 > pinnedNanos / passes) {
      return new Prediction.None("the threshold hid pins that are about as long as these");
    }
    if (busy() > ALL) {
      return new Prediction.None(
          "more carriers were blocked at a time than the scheduler's parallelism");
    }
    if (busy() < SATURATED) {
      return new Prediction.None(
          "the model needs all carriers blocked, and some of the time not all of them were");
    }
    if (freedNanos < allPinnedNanos * NEARLY_ALL_FREED) {
      return new Prediction.None("other pins would still hold carriers");
    }
    if (!comeBack() && Math.round(waiting.orElse(0)) == 0) {
      return new Prediction.None(
          "each thread came once, so the load sets the throughput, not the pins");
    }
    if (waiting.isEmpty() && threads <= carriers) {
      return new Prediction.None(
          "no more threads passed than there are carriers, and how many waited is not known; record"
              + " with vtdiag's agent");
    }
    return switch (locks.sharing()) {
      case ONE_OBJECT ->
          new Prediction.Range(
              now(),
              Math.min(now(), 1 / hold()),
              Math.max(now(), 1 / hold()),
              "one lock lets one thread pass at a time");
      case OWN_OBJECTS, NO_LOCK -> range(ownLocks());
      case POOL -> range(locks.takeTurns() ? inTurn(locks.atLeast()) : pool(locks.atLeast()));
      case NOT_SAMPLED -> range(notSampled());
      case BORROWED ->
          new Prediction.None("how many objects the pool has, and how long they are used, sets it");
      case SOME_SHARED, CONTENDED ->
          new Prediction.None("how many locks the threads share is not known");
    };
  }

  private Bounds ownLocks() {
    double again = sure() / (hold() + elsewhere() + sure() * demand());
    double most = most() / hold();
    return new Bounds(
        again,
        most,
        coming() + ", each pass waits as long as now, and no new limit appears",
        whyWide());
  }

  private String whyWide() {
    if (pinnedNanos * 2 < allPinnedNanos) {
      return "most pins are at other places, and these threads may pass there, too";
    }
    if (most() > 2 * sure()) {
      return "it is not known whether the others come here";
    }
    if (elsewhere() > hold()) {
      String time = Figures.duration(Math.round(elsewhere() * TimeUnit.SECONDS.toNanos(1)));
      return "the threads are " + time + " elsewhere between two passes, and may just wait there";
    }
    return "the "
        + Figures.percent(1 - busy())
        + " of carrier time that was not pinned may be work of these passes, or none of it";
  }

  private Bounds pool(int seen) {
    double each = 1 / hold();
    return new Bounds(
        now(),
        most() * each,
        "each lock of a pool lets %s pass, 10 of them %s"
            .formatted(perSecond(each), perSecond(10 * each)),
        seen > carriers
            ? "the pool may have more locks than the " + seen + " seen"
            : Figures.count(carriers, "carrier")
                + " can show only "
                + carriers
                + " of them in use, however many there are");
  }

  private Bounds inTurn(int pool) {
    double inside = Math.min(pool, most());
    return new Bounds(
        // All objects are held all the time, and a pass queues behind all others for its work.
        inside / (hold() + inside * demand()),
        Math.min(pool, most()) / hold(),
        "%d lock objects take turns: a pool of about %d bounds it at %s"
            .formatted(pool, pool, perSecond(pool / hold())),
        "");
  }

  private Bounds notSampled() {
    return new Bounds(
        now(),
        most() / hold(),
        "from one lock for all threads, where nothing changes, to a lock for each",
        "no lock objects were sampled");
  }

  private Prediction.Range range(Bounds bounds) {
    double least = Math.min(Math.max(now(), bounds.least), Math.max(now(), bounds.most));
    double most = Math.max(now(), bounds.most);
    return new Prediction.Range(
        now(),
        least,
        most,
        bounds.assumption
            + (most > least * WIDE ? "; the range is wide because " + bounds.whyWide : ""));
  }

  private double now() {
    return passes / ((double) activeNanos / TimeUnit.SECONDS.toNanos(1));
  }

  private double hold() {
    return (double) pinnedNanos / passes / TimeUnit.SECONDS.toNanos(1);
  }

  private double busy() {
    return (double) allPinnedNanos / activeNanos / carriers;
  }

  /** Returns the most carrier time that the work of a pass can take: all that was not pinned. */
  private double demand() {
    return Math.max(0, 1 - busy()) / now();
  }

  /** Returns whether the threads stayed for more than one pass. */
  private boolean comeBack() {
    return passes >= 2L * threads;
  }

  /** Returns the threads that certainly come here: other queued threads may be on another path. */
  private double sure() {
    if (!comeBack()) {
      return pinnedAtATime();
    }
    // Short-lived threads are never all there at once.
    boolean all = threads <= (waiting.isEmpty() ? 2 * atATime : most());
    return all ? threads : Math.min(threads, now() * (hold() + gap()));
  }

  private double pinnedAtATime() {
    return (double) pinnedNanos / activeNanos;
  }

  /** Returns the time from the end of a pass to the same thread's next one. */
  private double gap() {
    double seconds = (double) activeNanos / TimeUnit.SECONDS.toNanos(1);
    return Math.max(0, atATime - pinnedAtATime()) * seconds / (passes - threads);
  }

  /**
   * Returns the most threads that can be here at a time: all that had a carrier, and all that were
   * queued. Threads elsewhere do not add to them: they stay away for as long as now, or they waited
   * for one of these.
   */
  private double most() {
    return waiting.isPresent() ? carriers + waiting.getAsDouble() : threads;
  }

  /** Returns the time between two passes in which a thread neither had a carrier nor was queued. */
  private double elsewhere() {
    return waiting.isEmpty() ? 0 : Math.max(0, sure() - most()) / now();
  }

  private String coming() {
    long more = Math.round(most() - sure());
    String same =
        comeBack()
            ? "the same threads come back at once"
            : "as many requests come as there are now";
    return more <= 0
        ? same
        : same + ", with none to all of " + more + " others that waited for a carrier";
  }

  /** Returns a rate with two digits: a prediction has no more. */
  private static String perSecond(double rate) {
    double unit = Math.pow(10, Math.floor(Math.log10(rate)) - 1);
    double rounded = Math.round(rate / unit) * unit;
    return Figures.grouped(Figures.decimal(rounded, rounded < 1 ? 2 : rounded < 10 ? 1 : 0)) + "/s";
  }
}
