package io.github.vtdiag.pin;

import io.github.vtdiag.model.Figures;
import java.util.Optional;

/**
 * A time in which the garbage collector had stopped all threads: JFR's {@code jdk.GCPhasePause},
 * which every collector of HotSpot commits.
 *
 * @param startNanos when it began, in nanoseconds since the epoch
 */
public record GcPause(long startNanos, long nanos) {
  /** The event. */
  public static final String EVENT = "jdk.GCPhasePause";

  /** The smallest part of the time that slows a program noticeably. */
  private static final double MUCH = 0.05;

  /** Reads one. */
  public static GcPause of(EventValues event) {
    return new GcPause(event.startNanos(), event.durationNanos());
  }

  /**
   * Returns how much of it was before a program's end: vtdiag's own work at the exit of a program
   * with a full heap can make the collector run, too.
   *
   * @param endNanos the end, in nanoseconds since the epoch
   */
  public long nanosBefore(long endNanos) {
    return Math.clamp(endNanos - startNanos, 0L, nanos);
  }

  /**
   * Returns {@code garbage collector stopped all threads for 46% of the time}; empty if it was
   * little of the time.
   */
  public static Optional<String> told(long pausedNanos, long allNanos) {
    return allNanos > 0 && pausedNanos >= MUCH * allNanos
        ? Optional.of(
            "garbage collector stopped all threads for "
                + Figures.percent((double) pausedNanos / allNanos)
                + " of the time")
        : Optional.empty();
  }
}
