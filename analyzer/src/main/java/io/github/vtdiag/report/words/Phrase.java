package io.github.vtdiag.report.words;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A line of a report: its words, each part with its meaning. The words are unescaped; a format
 * escapes them when it writes them.
 */
public record Phrase(List<Part> parts) {

  /** The meaning of a part of a line, which decides how a format shows it. */
  public enum Tone {
    PLAIN,
    STRONG,
    FAINT,
    GOOD,
    BAD,
    WARNING,
    FIGURE,
    /** A name from the program: a method, a class. */
    NAME
  }

  /** Some words of one tone. */
  public record Part(Tone tone, String text) {}

  public static final Phrase EMPTY = new Phrase(List.of());

  public Phrase {
    parts = List.copyOf(parts);
  }

  public static Phrase of(String text) {
    return EMPTY.and(text);
  }

  public static Phrase of(Tone tone, String text) {
    return EMPTY.and(tone, text);
  }

  public Phrase and(String text) {
    return and(Tone.PLAIN, text);
  }

  public Phrase and(Tone tone, String text) {
    List<Part> more = new ArrayList<>(parts);
    more.add(new Part(tone, text));
    return new Phrase(more);
  }

  /** Returns the words alone. */
  public String text() {
    return parts.stream().map(Part::text).collect(Collectors.joining());
  }
}
