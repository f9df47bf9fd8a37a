package io.github.vtdiag.fleet;

import io.github.vtdiag.analysis.Durations;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One row of a table, its values by the names of the columns; unknown values are absent. */
public final class Row {
  private final Map<String, Object> values = new LinkedHashMap<>();

  Row put(String column, String value) {
    if (!value.isEmpty()) {
      values.put(column, value);
    }
    return this;
  }

  Row put(String column, long value) {
    values.put(column, value);
    return this;
  }

  Row put(String column, double value) {
    values.put(column, value);
    return this;
  }

  Row put(String column, boolean value) {
    values.put(column, value);
    return this;
  }

  Row put(String column, Durations value) {
    values.put(column, value);
    return this;
  }

  Row putIf(String column, Optional<? extends Number> value) {
    value.ifPresent(number -> values.put(column, number));
    return this;
  }

  /** Returns the values by the names of the columns. */
  public Map<String, Object> values() {
    return Map.copyOf(values);
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
