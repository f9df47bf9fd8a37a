package io.github.vtdiag.agent.jvm;

import java.time.Duration;

/**
 * How long the agent holds up a program that it observes. Tests have more patience than anybody in
 * production, because their machine may do ten other things.
 */
public final class Patience {
  private static final String PROPERTY = "vtdiag.patience";

  private Patience() {}

  /** That time, unless the property says another one. */
  public static Duration of(Duration usual) {
    Long seconds = Long.getLong(PROPERTY);
    return seconds == null ? usual : Duration.ofSeconds(seconds);
  }

  /** That many seconds, unless the property says another number. */
  public static long seconds(long usual) {
    return Long.getLong(PROPERTY, usual);
  }
}
