package io.github.vtdiag.report.words;

import io.github.vtdiag.recording.RecordingFacts;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** The address that a printed {@code vtdiag compare} requests, and what a reader has to add. */
public final class MeasuredAddress {
  /** The port of most servers, which are not asked for theirs. */
  private static final int USUAL = 8080;

  /** The first port that Linux gives to sockets whose program names none. */
  private static final int FIRST_EPHEMERAL = 32_768;

  private MeasuredAddress() {}

  /**
   * Returns the port of the program's server: the only one, or the only one that somebody chose.
   * Empty if it listened at several such ports, or at none.
   */
  public static OptionalInt port(List<RecordingFacts> recordings) {
    int[] ports = candidates(recordings);
    return ports.length == 1 ? OptionalInt.of(ports[0]) : OptionalInt.empty();
  }

  /** Returns the ports that somebody chose, or all where nobody chose any. */
  private static int[] candidates(List<RecordingFacts> recordings) {
    int[] ports = ports(recordings);
    int[] chosen = Arrays.stream(ports).filter(port -> port < FIRST_EPHEMERAL).toArray();
    return chosen.length == 0 ? ports : chosen;
  }

  private static int[] ports(List<RecordingFacts> recordings) {
    return recordings.stream()
        .flatMap(facts -> facts.ports().stream())
        .mapToInt(Integer::intValue)
        .distinct()
        .sorted()
        .toArray();
  }

  /**
   * Returns the address of that port. If the program listened at several, it is the usual one, or
   * the first of those that somebody chose: nothing answers at a port of another program.
   */
  public static String url(List<RecordingFacts> recordings) {
    int[] ports = candidates(recordings);
    boolean usual = ports.length == 0 || Arrays.stream(ports).anyMatch(port -> port == USUAL);
    return "http://localhost:" + (usual ? USUAL : ports[0]) + "/";
  }

  /**
   * Returns what to replace in the printed command: no recording tells which request pins. Requests
   * also cause pins of threads on whose stacks no server is, because it runs on an event loop.
   */
  public static Optional<String> note(NextSteps.Measure measure, List<RecordingFacts> recordings) {
    OptionalInt port = port(recordings);
    if (measure == NextSteps.Measure.REQUESTS) {
      return Optional.of(
          "In the compare command, replace "
              + (port.isPresent() ? "the path /" : url(recordings))
              + " with the "
              + (port.isPresent() ? "path" : "address")
              + " of a request that causes these pins"
              + (port.isPresent() ? "." : listened(recordings)));
    }
    if (recordings.stream().anyMatch(facts -> !facts.ports().isEmpty())) {
      return Optional.of(
          "The program accepts connections, and the compare command sends no requests: if requests"
              + " cause these pins, use --http "
              + (port.isPresent() ? url(recordings) + "PATH" : "URL")
              + " in place of --count.");
    }
    return Optional.empty();
  }

  private static String listened(List<RecordingFacts> recordings) {
    int[] ports = ports(recordings);
    return ports.length == 0
        ? "."
        : "; the program listened at the ports "
            + Arrays.stream(ports).mapToObj(String::valueOf).collect(Collectors.joining(", "))
            + ".";
  }
}
