package io.github.vtdiag.junit.inside;

import java.time.Instant;

/** The time as recordings have it. */
final class EventClock {
  private EventClock() {}

  /** Nanoseconds since the epoch. */
  static long nanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000 + now.getNano();
  }
}
