package io.github.vtdiag.report.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.analysis.Pins;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HangWordsTest {
  private static List<String> lines(Pins pins) {
    return HangWords.lines(pins.findings()).stream().map(Phrase::text).toList();
  }

  /** A client that gives up after ten seconds, and asks again, makes one each time. */
  @Test
  void hangsOfOneVerdictThatEndedAreOneLine() {
    String verdict = "probably a deadlock by pinning: both carriers are kept";
    assertEquals(
        List.of("Stood still for a while, 7 times: " + verdict + "."),
        lines(new Pins().stoodStill(7, verdict, "evidence")));
    assertEquals(
        List.of("Stood still for a while: " + verdict + "."),
        lines(new Pins().stoodStill(verdict, "evidence")));
    assertEquals(List.of(), lines(new Pins()));
  }
}
