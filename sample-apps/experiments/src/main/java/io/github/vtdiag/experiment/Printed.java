package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.Peak;
import io.github.vtdiag.model.DataException;
import java.util.Map;
import java.util.Optional;

/**
 * The results that a program printed as it ended.
 *
 * @param program names it in a sentence
 * @param values those of its last line that begins with {@code RESULT}
 * @param peak empty where the system does not tell
 */
public record Printed(String program, Map<String, String> values, Optional<Peak> peak) {
  public Printed {
    values = Map.copyOf(values);
  }

  /** Returns the value of a key that has to be there. */
  public String text(String key) throws DataException {
    String value = values.get(key);
    if (value == null) {
      throw new DataException(program + " printed no " + key + "; build the samples again");
    }
    return value;
  }

  /** Returns the same as a number. */
  public double number(String key) throws DataException {
    String value = text(key);
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new DataException(
          program + " printed " + key + "=" + value + ", which is no number", e);
    }
  }

  /** Returns the same as a whole number. */
  public long count(String key) throws DataException {
    return Math.round(number(key));
  }
}
