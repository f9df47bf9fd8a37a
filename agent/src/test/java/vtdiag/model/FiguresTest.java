package vtdiag.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FiguresTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "50", "-5ms", "50 mss", "PT-1S", "5%", "1.ms", "PT"})
  void whatIsNoDurationIsRefusedByName(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Figures.parseDuration(text))
            .getMessage();
    assertTrue(message.startsWith("'" + text + "' is not a duration"), message);
  }

  @ParameterizedTest
  @CsvSource({
    "50ms,50000000",
    "1.5s,1500000000",
    "200us,200000",
    "PT0.2S,200000000",
    "0,0",
    "7ns,7",
    "2m,120000000000"
  })
  void durationsAreRead(String text, long nanos) {
    assertEquals(nanos, Figures.parseDuration(text));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0 ms",
    "17,17 ns",
    "850000,850 us",
    "1000000,1 ms",
    "1234567,1.2 ms",
    "62000000000,62 s",
    "175400000,175 ms",
    "1530000000,1.5 s",
    "46210000000,46.2 s",
    "'4112000000000','4,112 s'"
  })
  void durationsAreWritten(long nanos, String text) {
    assertEquals(text, Figures.duration(nanos));
  }

  @Test
  void aFigureNeverReadsLikeTheLimitItBreaks() {
    assertEquals("50 ms", Figures.durationBeside(50_000_000, 50_000_000));
    assertNotEquals(
        Figures.durationBeside(50_400_000, 50_000_000),
        Figures.durationBeside(50_000_000, 50_400_000));
    assertNotEquals(Figures.percentBeside(0.1201, 0.12), Figures.percentBeside(0.12, 0.1201));
  }

  @ParameterizedTest
  @CsvSource({"0,0%", "0.0001,under 0.1%", "0.0152,1.5%", "0.384,38%", "1,100%"})
  void sharesAreWritten(double share, String text) {
    assertEquals(text, Figures.percent(share));
  }

  @Test
  void positionsNameTheTopLevelClass() {
    assertEquals("Foo.java:12", Figures.position(new ClassRef("a.Foo$Bar$1", ""), 12));
    assertEquals("$Proxy1.java:3", Figures.position(new ClassRef("$Proxy1", ""), 3));
  }
}
