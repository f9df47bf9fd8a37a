package io.github.vtdiag.agent.waits;

import io.github.vtdiag.boot.Mounts;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tells whether virtual threads come and go, as those of requests do: most of them live for less
 * time than passes between two samples.
 */
final class NewThreads {
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The notes are read that seldom: there are many. */
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier newest;
  private boolean looked;
  private long lookedNanos;
  private long known;
  private long cameNanos;

  NewThreads() {
    this(Mounts::newest);
  }

  /**
   * @param newest returns the largest id of a virtual thread that has run
   */
  NewThreads(LongSupplier newest) {
    this.newest = newest;
  }

  /** Returns whether a new virtual thread has run of late. */
  boolean came(long nowNanos) {
    if (!looked || nowNanos - lookedNanos >= PERIOD_NANOS) {
      looked = true;
      lookedNanos = nowNanos;
      long id = newest.getAsLong();
      if (id > known) {
        known = id;
        cameNanos = nowNanos;
      }
    }
    return known > 0 && nowNanos - cameNanos < RECENT_NANOS;
  }
}
