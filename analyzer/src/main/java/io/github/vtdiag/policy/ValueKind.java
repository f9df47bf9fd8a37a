package io.github.vtdiag.policy;

import io.github.vtdiag.gate.Unit;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Pattern;

/** The kinds of value in a policy. */
enum ValueKind {
  DURATION(
      "a duration: 50ms, 1.5s, 200us or PT0.2S", "(\\d+(\\.\\d+)?\\s*(ns|us|ms|s|m|h|d)|[Pp].+)") {
    @Override
    void check(String text) {
      Unit.DURATION.parse(text);
    }
  },
  COUNT("a whole number, 0 or more", "\\d{1,15}") {
    @Override
    void check(String text) {
      Unit.COUNT.parse(text);
    }
  },
  RATE("a number per minute: 60 or 0.5/min", "\\d{1,9}(\\.\\d+)?(/min)?") {
    @Override
    void check(String text) {
      Unit.RATE.parse(text);
    }
  },
  PERCENT("a percentage: 5 or 0.5%", "\\d{1,3}(\\.\\d+)?%?") {
    @Override
    void check(String text) {
      Unit.PERCENT.parse(text);
    }
  },
  FACTOR("a number, 1 or more: 2 or 1.5", "[1-9]\\d{0,2}(\\.\\d+)?"),
  TEXT("a text", "[\\s\\S]*\\S[\\s\\S]*"),
  DATE("a day: 2026-12-31", "\\d{4}-\\d{2}-\\d{2}") {
    @Override
    void check(String text) {
      try {
        LocalDate.parse(text);
      } catch (DateTimeException e) {
        throw new IllegalArgumentException("there is no such day", e);
      }
    }
  },
  FLAG("true or false", "true|false"),
  OWNER("application, libraries or jdk", "application|libraries|jdk"),
  PACKAGE("a package: com.example", "[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*"),
  LIBRARY(
      "Maven coordinates without a version: org.postgresql:postgresql or org.postgresql:*",
      "[A-Za-z0-9_.-]+:([A-Za-z0-9_.-]+|\\*)");

  private final String expected;
  private final Pattern pattern;

  ValueKind(String expected, String pattern) {
    this.expected = expected;
    this.pattern = Pattern.compile(pattern);
  }

  /** Returns what to write. */
  String expected() {
    return expected;
  }

  /** Returns the pattern for a schema, which knows no more. */
  String pattern() {
    return "^(" + pattern.pattern() + ")$";
  }

  /** Returns whether a text is one. */
  boolean accepts(String text) {
    try {
      check(text);
      return pattern.matcher(text).matches();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Checks what a pattern cannot express.
   *
   * @throws IllegalArgumentException if it is none
   */
  void check(String text) {}
}
