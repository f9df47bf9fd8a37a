package io.github.vtdiag.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OperationsTest {
  private static Optional<Operations.Amount> find(String pattern, String... lines) {
    Operations operations = Operations.in(Optional.ofNullable(pattern).map(Pattern::compile));
    for (String line : lines) {
      operations.line(line);
    }
    return operations.printed();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "operations",
        "no operations",
        "12 seconds",
        "12 opsets",
        "12/src",
        "1e999 ops",
        "12 of 20"
      })
  void whatTellsNothing(String line) {
    assertEquals(Optional.empty(), find(null, line));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1000 operations|1000|1|false",
        "did 1,234,567 operations in 3 s|1234567|1|false",
        "1_000 ops|1000|1|false",
        "99.5/s|99.5|0.1|true",
        "rate: 99.5 ops/s (good)|99.5|0.1|true",
        "1.5e3 ops/sec|1500|100|true",
        "12 operations / second|12|1|true",
        "500 operations in 2 s, 250/s|250|1|true",
        "0 operations|0|1|false",
        "0.0 ops/s|0|0.1|true"
      })
  void theUsualWaysToSayIt(String line, double number, double step, boolean perSecond) {
    assertEquals(Optional.of(new Operations.Amount(number, step, perSecond)), find(null, line));
  }

  /** In ten seconds. */
  @ParameterizedTest
  @CsvSource({"50 operations, 5, 0.1", "0 operations, 0, 0.1", "0 ops/s, 0, 1", "0.00/s, 0, 0.1"})
  void ofNoneItIsKnownUpToWhatRateThatMayBe(String line, double perSecond, double least) {
    assertEquals(new Rate(perSecond, least), find(null, line).orElseThrow().rate(10_000_000_000L));
  }

  @Test
  void theLastLineWins() {
    assertEquals(
        Optional.of(new Operations.Amount(20, 1, false)),
        find(null, "10 operations", "20 operations", "bye"));
  }

  @Test
  void theUsersOwnPatternIsTheOnlyOne() {
    assertEquals(Optional.empty(), find("done: (\\d+)", "10 operations"));
    assertEquals(
        Optional.of(new Operations.Amount(7, 1, false)), find("done: (\\d+)", "we are done: 7 x"));
    assertEquals(Optional.of(new Operations.Amount(7, 1, true)), find("(\\d+) tx/s", "7 tx/s"));
    assertEquals(Optional.empty(), find("done: (.*)", "done: all"));
    assertEquals(Optional.empty(), find("a|(b)", "a"));
  }
}
