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
   * Returns what to replace in the printed address: no recording tells which request pins.
   *
   * @param commands the printed commands
   */
  public static Optional<String> note(List<String> commands, List<RecordingFacts> recordings) {
    if (commands.stream()
        .noneMatch(each -> each.startsWith("vtdiag compare ") && each.contains(" --http "))) {
      return Optional.empty();
    }
    OptionalInt port = port(recordings);
    return Optional.of(
        "In the compare command, replace "
            + (port.isPresent() ? "the path /" : url(port))
            + " with the "
            + (port.isPresent() ? "path" : "address")
            + " of a request that causes these pins.");
  }
}
