package io.github.vtdiag.report.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class MeasuredAddressTest {
  private static List<RecordingFacts> listening(Integer... ports) {
    return List.of(new Pins().ports(ports).data().facts());
  }

  private static String url(Integer... ports) {
    return MeasuredAddress.url(listening(ports));
  }

  @Test
  void theOnlyPortIsThatOfTheServer() {
    assertEquals("http://localhost:8080/", url());
    assertEquals("http://localhost:9191/", url(9191));
  }

  /** A test's stub, or a channel between two parts of the program. */
  @Test
  void aPortThatTheSystemGaveIsNotThatOfTheServer() {
    assertEquals("http://localhost:8099/", url(36_735, 8099));
    assertEquals("http://localhost:36735/", url(36_735));
  }

  /** Whoever runs the command as it is printed has to reach this program. */
  @Test
  void theAddressIsOneAtWhichTheProgramListened() {
    assertEquals("http://localhost:9090/", url(9191, 9090));
    assertEquals("http://localhost:8080/", url(7070, 8080));
    assertEquals("http://localhost:8098/", url(36_735, 8099, 8098));
    assertEquals("http://localhost:36735/", url(36_735, 41_002));
  }

  @Test
  void thePortsAreNamedOfWhichTheReaderKnowsTheRightOne() {
    assertEquals(
        Optional.of(
            "In the compare command, replace http://localhost:9090/ with the address of a request"
                + " that causes these pins; the program listened at the ports 9090, 9191."),
        MeasuredAddress.note(NextSteps.Measure.REQUESTS, listening(9191, 9090)));
  }

  @Test
  void theReaderIsToldWhatToReplace() {
    assertEquals(
        Optional.of(
            "In the compare command, replace http://localhost:8080/ with the address of a request"
                + " that causes these pins."),
        MeasuredAddress.note(NextSteps.Measure.REQUESTS, listening()));
    assertEquals(
        Optional.of(
            "In the compare command, replace the path / with the path of a request that causes"
                + " these pins."),
        MeasuredAddress.note(NextSteps.Measure.REQUESTS, listening(9191)));
  }

  /** As with Ktor, whose coroutines continue on virtual threads. */
  @Test
  void theReaderIsToldThatNobodySendsRequests() {
    assertEquals(Optional.empty(), MeasuredAddress.note(NextSteps.Measure.CALLS, listening()));
    assertEquals(
        Optional.of(
            "The program accepts connections, and the compare command sends no requests: if"
                + " requests cause these pins, use --http http://localhost:9191/PATH in place of"
                + " --count."),
        MeasuredAddress.note(NextSteps.Measure.CALLS, listening(9191)));
    assertEquals(
        Optional.of(
            "The program accepts connections, and the compare command sends no requests: if"
                + " requests cause these pins, use --http URL in place of --count."),
        MeasuredAddress.note(NextSteps.Measure.CALLS, listening(9090, 9191)));
  }
}
