package io.github.vtdiag.advice;

import io.github.vtdiag.model.Figures;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * The model of a pinned section: {@code threads} threads come back to it for ever (a closed
 * system), each pass holds a carrier for {@code hold} seconds. {@code docs/advice.md} derives it.
 *
 * @param carriers the carriers there are
 * @param threads the threads that passed
 * @param atATime how many of them were there at a time, from first pass to last
 * @param waiting how many waited for a carrier at a time, at most; empty if that is not known
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
    double atATime,
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

  /** A wider range says why it is. */
  private static final double WIDE = 10;

  /** Passes a second that may be expected, and why not fewer or more. */
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
        // They are held all the time, and a pass queues behind all others for its work.
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

  /** Carrier time that was not pinned: at most so much went into the work of a pass. */
  private double demand() {
    return Math.max(0, 1 - busy()) / now();
  }

  /** Whether the threads were there for more than a pass. */
  private boolean comeBack() {
    return passes >= 2L * threads;
  }

  /** The threads that surely come here: others that waited for a carrier may have another way. */
  private double sure() {
    if (!comeBack()) {
      return pinnedAtATime();
    }
    // Of threads that live shortly there were never as many as passed in the whole time.
    boolean all = threads <= (waiting.isEmpty() ? 2 * atATime : most());
    return all ? threads : Math.min(threads, now() * (hold() + gap()));
  }

  private double pinnedAtATime() {
    return (double) pinnedNanos / activeNanos;
  }

  /** From the end of a pass to the next one of the same thread. */
  private double gap() {
    double seconds = (double) activeNanos / TimeUnit.SECONDS.toNanos(1);
    return Math.max(0, atATime - pinnedAtATime()) * seconds / (passes - threads);
  }

  /**
   * As many as are here at a time at most: all that had a carrier, and all that waited for one. The
   * threads that were elsewhere do not add to them: either they stay away for as long as now, or
   * they waited for one of these.
   */
  private double most() {
    return waiting.isPresent() ? carriers + waiting.getAsDouble() : threads;
  }

  /** How long the threads neither had a carrier nor waited for one, between two passes. */
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

  /** Two digits: a prediction has no more. */
  private static String perSecond(double rate) {
    double unit = Math.pow(10, Math.floor(Math.log10(rate)) - 1);
    double rounded = Math.round(rate / unit) * unit;
    return String.format(
        Locale.ROOT, rounded < 1 ? "%.2f/s" : rounded < 10 ? "%.1f/s" : "%,.0f/s", rounded);
  }
}
