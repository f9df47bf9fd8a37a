package io.github.vtdiag.agent.jvm;

import java.time.Duration;

/**
 * The longest time that the agent delays the program that it observes. Tests allow more time than
 * production, because their machine may be busy.
 */
public final class Patience {
  private static final String PROPERTY = "vtdiag.patience";

  private Patience() {}

  /** Returns that time, or the time that the property sets. */
  public static Duration of(Duration usual) {
    Long seconds = Long.getLong(PROPERTY);
    return seconds == null ? usual : Duration.ofSeconds(seconds);
  }

  /** Returns that number of seconds, or the number that the property sets. */
  public static long seconds(long usual) {
    return Long.getLong(PROPERTY, usual);
  }
}
