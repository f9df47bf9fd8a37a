package io.github.vtdiag.junit.inside;

import java.time.Instant;

/** The clock of recordings. */
final class EventClock {
  private EventClock() {}

  /** Returns nanoseconds since the epoch. */
  static long nanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000 + now.getNano();
  }
}
