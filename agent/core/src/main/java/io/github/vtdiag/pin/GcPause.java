package io.github.vtdiag.pin;

/**
 * A time in which the garbage collector had stopped all threads: JFR's {@code jdk.GCPhasePause},
 * which every collector of HotSpot commits.
 *
 * @param startNanos when it began, in nanoseconds since the epoch
 */
public record GcPause(long startNanos, long nanos) {
  /** The event. */
  public static final String EVENT = "jdk.GCPhasePause";

  /** A smaller part of the time slows no program much. */
  private static final double MUCH = 0.05;

  /** Reads one. */
  public static GcPause of(EventValues event) {
    return new GcPause(event.startNanos(), event.durationNanos());
  }

  /** Whether so much of a time is worth telling. */
  public static boolean isMuch(long pausedNanos, long allNanos) {
    return allNanos > 0 && pausedNanos >= MUCH * allNanos;
  }
}
