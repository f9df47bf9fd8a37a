package io.github.vtdiag.experiment;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Finds the lines for the bench in a program's output. */
final class ProgramOutput {
  private static final String READY = "READY port=";
  private static final String RESULT = "RESULT ";

  private OptionalInt port = OptionalInt.empty();
  private Optional<Map<String, String>> result = Optional.empty();

  synchronized void line(String line) {
    if (line.startsWith(READY) && port.isEmpty()) {
      String number = line.substring(READY.length()).strip();
      if (number.matches("\\d{1,5}")) {
        port = OptionalInt.of(Integer.parseInt(number));
      }
    } else if (line.startsWith(RESULT)) {
      result = Optional.of(values(line.substring(RESULT.length())));
    }
  }

  private static Map<String, String> values(String text) {
    Map<String, String> values = new HashMap<>();
    for (String word : text.strip().split("\\s+", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return values;
  }

  /** Returns the port on which it listens; empty as long as it does not. */
  synchronized OptionalInt port() {
    return port;
  }

  /** Returns its last result; empty if there was none. */
  synchronized Optional<Map<String, String>> result() {
    return result;
  }
}
