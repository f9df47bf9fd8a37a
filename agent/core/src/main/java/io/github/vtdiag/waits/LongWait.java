package io.github.vtdiag.waits;

import java.util.concurrent.TimeUnit;

/**
 * Virtual threads at one place that have not run for some seconds, in one snapshot.
 *
 * @param look the number of the snapshot
 * @param stack the number of their stack; 0 if there were too many different ones
 * @param state how they wait
 * @param lockClass the class of the object that they are parked for; empty if they have none
 * @param lockIdentity its identity hash if it is one object for all of them, else 0
 * @param threads their number among the threads that the agent follows
 * @param returned the number of them that had waited at the same place before, and had gone on
 * @param longestNanos the longest wait; if {@code repeated}, the time since a thread was last woken
 *     there
 * @param repeated whether their waits time out again and again: there was always one at least
 * @param wakers the threads that woke those that had waited there
 * @param detail what the stack alone does not show
 */
public record LongWait(
    long look,
    int stack,
    Thread.State state,
    String lockClass,
    int lockIdentity,
    int threads,
    int returned,
    long longestNanos,
    boolean repeated,
    Wakers wakers,
    WaitDetail detail) {
  /** The threads that woke others which had waited for the same thing, as far as that was seen. */
  public enum Wakers {
    /** Unknown: from an older agent, or because the JDK wakes the threads that were notified. */
    NOT_KNOWN,
    /** None, except once or twice by a thread that has ended. */
    NONE,
    /** A thread that still lives, or a succession of new threads. */
    OTHERS,
    /** One thread again and again, or several at the same time, and all of them have ended. */
    ENDED,
    /** The same, and one of them failed. */
    FAILED,
    /** A thread that has failed, once or twice: others may come, as those of requests do. */
    FAILED_SOON,
    /** The same, and the waiting threads had woken them: they had asked, and got answers. */
    ANSWERED,
    /** Only each other, or only threads that wait in the same way for them. */
    EACH_OTHER,
    /** Each other, and too seldom to tell that nobody else does. */
    SELDOM,
    /** Nobody since more and more threads have come to wait. */
    MORE_CAME;

    /** Returns the clause that follows what is waited for; empty if there is nothing to add. */
    public String clause() {
      return switch (this) {
        case ENDED -> ", woken before by threads that have ended";
        case FAILED, FAILED_SOON -> ", woken before by threads that have failed";
        case ANSWERED -> ", answered before by threads that have ended";
        case EACH_OTHER -> ", which wait for each other";
        case MORE_CAME -> ", more and more of them";
        case NOT_KNOWN, NONE, OTHERS, SELDOM -> "";
      };
    }
  }

  /** The length from which waits are recorded while the program runs. */
  public static final long SHORTEST_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The length from which the last sample records them: a shorter one stands still nowhere. */
  public static final long SHORTEST_AT_END_NANOS = TimeUnit.SECONDS.toNanos(3);

  /**
   * Returns the length from which this wait counts. Where threads went on before, these may be
   * about to go on, too. A failed thread ends no wait any more, so that less time shows it. But a
   * queue is empty for a while where a feeder is started again, and workers at a condition are
   * idle.
   */
  long countsFrom(StallLimit limit, Awaited awaited) {
    long usual = returned > 0 ? limit.returnedNanos() : limit.nanos();
    if (repeated || awaited.isForWork()) {
      return usual;
    }
    return switch (wakers) {
      case FAILED -> limit.failedNanos();
      case FAILED_SOON -> limit.nanos();
      case NOT_KNOWN, NONE, OTHERS, ENDED, ANSWERED, EACH_OTHER, SELDOM, MORE_CAME -> usual;
    };
  }
}
