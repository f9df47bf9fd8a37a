package io.github.vtdiag.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.vtdiag.model.DataException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ProgramOutputTest {
  private static ProgramOutput of(String... lines) {
    ProgramOutput output = new ProgramOutput();
    List.of(lines).forEach(output::line);
    return output;
  }

  @Test
  void whatIsNotMeantForTheBenchIsNeither() {
    ProgramOutput output =
        of("", "The RESULT is good", "RESULTS millis=1", "READY", "READY port=x", " READY port=80");
    assertEquals(Optional.empty(), output.result());
    assertEquals(OptionalInt.empty(), output.port());
  }

  @Test
  void theLastResultCounts() {
    ProgramOutput output =
        of("READY port=8080", "RESULT millis=1", "RESULT millis=2.5  text errors=0", "vtdiag: bye");
    assertEquals(OptionalInt.of(8080), output.port());
    assertEquals(Optional.of(Map.of("millis", "2.5", "errors", "0")), output.result());
  }

  @Test
  void aFigureThatIsMissingOrNoneIsRefused() throws Exception {
    Printed printed = new Printed("samples.Any", Map.of("a", "2.6", "b", "x"), Optional.empty());
    assertEquals(3, printed.count("a"));
    assertEquals(
        "samples.Any printed no c; build the samples again",
        assertThrows(DataException.class, () -> printed.number("c")).getMessage());
    assertEquals(
        "samples.Any printed b=x, which is no number",
        assertThrows(DataException.class, () -> printed.number("b")).getMessage());
  }
}
