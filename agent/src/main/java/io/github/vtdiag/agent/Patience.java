package io.github.vtdiag.agent;

import java.time.Duration;

/**
 * How long the agent holds up a program that it observes. Tests have more patience than anybody in
 * production, because their machine may do ten other things.
 */
final class Patience {
  private static final String PROPERTY = "vtdiag.patience";

  private Patience() {}

  /** That time, unless the property says another one. */
  static Duration of(Duration usual) {
    Long seconds = Long.getLong(PROPERTY);
    return seconds == null ? usual : Duration.ofSeconds(seconds);
  }

  /** That many seconds, unless the property says another number. */
  static long seconds(long usual) {
    return Long.getLong(PROPERTY, usual);
  }
}
