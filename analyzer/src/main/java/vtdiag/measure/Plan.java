package vtdiag.measure;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What to compare, and how.
 *
 * @param before the application as it is
 * @param after the application with the change
 * @param changes the change in words, as the user wrote it
 * @param measure where the figures come from
 * @param pairs how often each side runs; at least two
 * @param coolDownNanos the pause before each run but the first
 * @param agent how the agent takes part; empty if it does not
 */
public record Plan(
    JavaCommand before,
    JavaCommand after,
    List<String> changes,
    Measure measure,
    int pairs,
    long coolDownNanos,
    Optional<Agent> agent) {

  public Plan {
    changes = List.copyOf(changes);
  }

  /**
   * The agent, which records both sides alike.
   *
   * @param jar vtdiag.jar
   * @param whatIf the value of its option {@code rewrite} on the side with the change; empty for
   *     none
   */
  public record Agent(Path jar, Optional<String> whatIf) {}

  /** Where the figures come from. */
  public sealed interface Measure {
    /**
     * A server that is sent requests.
     *
     * @param startNanos how long it may take until it answers well
     * @param warmUpNanos how long requests are sent that are not counted
     * @param durationNanos how long requests are sent that are
     * @param maxErrors the part of the requests that may fail, 0 to 1
     */
    record Http(
        URI uri, Load load, long startNanos, long warmUpNanos, long durationNanos, double maxErrors)
        implements Measure {}

    /**
     * A program that ends and prints how many operations it did.
     *
     * @param pattern finds the number, with one group; empty for the usual ways to say it
     * @param timeoutNanos how long it may take
     */
    record Printed(Optional<Pattern> pattern, long timeoutNanos) implements Measure {}
  }
}
