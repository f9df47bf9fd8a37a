package io.github.vtdiag.pin;

import java.util.concurrent.TimeUnit;

/**
 * A recording that was running when a chunk began.
 *
 * @param startNanos when it had begun itself, in nanoseconds since the epoch
 */
public record ActiveRecording(String name, long startNanos) {
  public static final String EVENT = "jdk.ActiveRecording";

  /** The name of the agent's recording. */
  public static final String AGENTS = "vtdiag";

  /** Reads it. */
  public static ActiveRecording of(EventValues event) {
    return new ActiveRecording(
        event.text("name"), TimeUnit.MILLISECONDS.toNanos(event.number("recordingStart")));
  }

  /** Returns whether it is the agent's own. */
  public boolean isAgents() {
    return name.equals(AGENTS);
  }
}
