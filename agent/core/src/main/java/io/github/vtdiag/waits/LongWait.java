package io.github.vtdiag.waits;

import java.util.concurrent.TimeUnit;

/**
 * Virtual threads at one place that have not run for some seconds, as a look saw them.
 *
 * @param look the number of the look
 * @param stack the number of their stack; 0 if there were too many different ones
 * @param state how they wait
 * @param lockClass the class of what they are parked for; empty where they say nothing
 * @param lockIdentity its identity hash if it is one object for all of them, else 0
 * @param threads how many, of those that the agent follows
 * @param returned those of them that had waited at the same place before, and had gone on
 * @param longestNanos how long the one has waited that has waited longest; if {@code repeated}, how
 *     long nobody has been woken there
 * @param repeated whether their waits time out again and again: there was always one at least
 * @param wakers who woke those that had waited there
 * @param detail what they wait for, where the stack alone does not say it, such as {@code until
 *     app.Job.done changes}; else empty
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
    String detail) {
  /** Those that woke threads which had waited for the same thing, as far as that was seen. */
  public enum Wakers {
    /** An older agent does not say, or the JDK wakes those that somebody has notified. */
    NOT_KNOWN,
    /** Nobody was ever woken, but for once or twice by a thread that has ended. */
    NONE,
    /** A thread that still lives, or ever new ones. */
    OTHERS,
    /** One thread again and again, or some at the same time, and all of them have ended. */
    ENDED,
    /** The same, and one of them failed. */
    FAILED,
    /** A thread that has failed, once or twice: others may come, as those of requests do. */
    FAILED_SOON,
    /** The same, and those that wait had woken them: they had asked, and got answers. */
    ANSWERED,
    /** Only each other, or only such as wait in the same way for them. */
    EACH_OTHER,
    /** Each other, and too seldom to tell that nobody else does. */
    SELDOM,
    /** Nobody since more and more threads have come to wait. */
    MORE_CAME;

    /** To be put behind what is waited for; empty if there is nothing to say. */
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

  /** Begins the detail of waits that a thread which goes on may end. */
  public static final String MAY_END = "which may end when a thread goes on in ";

  /** Shorter ones are not told. */
  public static final long SHORTEST_NANOS = TimeUnit.SECONDS.toNanos(5);
}
