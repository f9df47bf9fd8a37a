package io.github.vtdiag.report.words;

import io.github.vtdiag.recording.RecordingFacts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The address that a printed {@code vtdiag compare} requests, and what a reader has to add. */
public final class MeasuredAddress {
  /** The port of most servers, which are not asked for theirs. */
  private static final int USUAL = 8080;

  private MeasuredAddress() {}

  /** Returns the port of the program's server; empty if it listened at several, or at none. */
  public static OptionalInt port(List<RecordingFacts> recordings) {
    int[] ports =
        recordings.stream()
            .flatMap(facts -> facts.ports().stream())
            .mapToInt(Integer::intValue)
            .distinct()
            .toArray();
    return ports.length == 1 ? OptionalInt.of(ports[0]) : OptionalInt.empty();
  }

  /** Returns the address of that port. */
  public static String url(OptionalInt port) {
    return "http://localhost:" + port.orElse(USUAL) + "/";
  }

  /**
   * Returns what to replace in the printed command: no recording tells which request pins. Requests
   * also cause pins of threads on whose stacks no server is, because it runs on an event loop.
   *
   * @param commands the printed commands
   */
  public static Optional<String> note(List<String> commands, List<RecordingFacts> recordings) {
    OptionalInt port = port(recordings);
    if (measure(commands, "--http")) {
      return Optional.of(
          "In the compare command, replace "
              + (port.isPresent() ? "the path /" : url(port))
              + " with the "
              + (port.isPresent() ? "path" : "address")
              + " of a request that causes these pins.");
    }
    if (measure(commands, "--count")
        && recordings.stream().anyMatch(facts -> !facts.ports().isEmpty())) {
      return Optional.of(
          "The program accepts connections, and the compare command sends no requests: if requests"
              + " cause these pins, use --http "
              + (port.isPresent() ? url(port) + "PATH" : "URL")
              + " in place of --count.");
    }
    return Optional.empty();
  }

  private static boolean measure(List<String> commands, String option) {
    return commands.stream()
        .anyMatch(each -> each.startsWith("vtdiag compare ") && each.contains(" " + option + " "));
  }
}
