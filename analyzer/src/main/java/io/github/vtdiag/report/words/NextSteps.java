package io.github.vtdiag.report.words;

import java.util.List;
import java.util.Optional;

/**
 * The commands that are printed below advice.
 *
 * @param commands the commands, as one types them
 * @param patches whether one of them writes a patch
 * @param compares what the one that compares runs measures; empty if none does
 */
public record NextSteps(List<String> commands, boolean patches, Optional<Measure> compares) {
  /** The throughput that a comparison measures. */
  public enum Measure {
    REQUESTS,
    CALLS
  }

  /** No commands. */
  public static final NextSteps NONE = of(List.of());

  public NextSteps {
    commands = List.copyOf(commands);
  }

  /** Returns steps among which there is neither a patch nor a comparison. */
  public static NextSteps of(List<String> commands) {
    return new NextSteps(commands, false, Optional.empty());
  }
}
