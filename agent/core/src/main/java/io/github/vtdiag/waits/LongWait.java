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
 * @param longestNanos how long the one has waited that has waited longest
 */
public record LongWait(
    long look,
    int stack,
    Thread.State state,
    String lockClass,
    int lockIdentity,
    int threads,
    int returned,
    long longestNanos) {
  /** Shorter ones are not told. */
  public static final long SHORTEST_NANOS = TimeUnit.SECONDS.toNanos(5);
}
