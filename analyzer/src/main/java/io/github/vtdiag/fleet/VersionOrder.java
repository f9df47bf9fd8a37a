package io.github.vtdiag.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Versions as texts that sort as Maven sorts versions: as plain text, 1.10 is before 1.9. A lake
 * stores these, so that its SQL needs no function.
 */
final class VersionOrder {
  private static final Pattern PART = Pattern.compile("\\d+|[a-z]+");

  /** The qualifiers of versions before a release, in sort order. */
  private static final List<List<String>> EARLY =
      List.of(
          List.of("alpha", "a"),
          List.of("beta", "b"),
          List.of("milestone", "m"),
          List.of("rc", "cr"),
          List.of("snapshot"));

  private static final List<String> NOTHING = List.of("ga", "final", "release");

  /** The markers of parts, in sort order; the early qualifiers sort before all of them. */
  private static final char END = 'f';

  private static final char WORD = 'g';
  private static final char NUMBER = 'h';

  private static final int DIGITS = 18;

  private VersionOrder() {}

  /** Returns the text of a version; empty for none. */
  static String key(String version) {
    if (version.isEmpty()) {
      return "";
    }
    List<String> parts = new ArrayList<>();
    Matcher part = PART.matcher(version.toLowerCase(Locale.ROOT));
    while (part.find()) {
      String text = part.group();
      if (Character.isDigit(text.charAt(0))) {
        parts.add(NUMBER + padded(text));
      } else if (!NOTHING.contains(text)) {
        dropZeros(parts);
        parts.add(early(text) < 0 ? WORD + text : String.valueOf((char) ('a' + early(text))));
      }
    }
    dropZeros(parts);
    return String.join("", parts) + END;
  }

  private static void dropZeros(List<String> parts) {
    while (!parts.isEmpty() && parts.getLast().equals(NUMBER + padded("0"))) {
      parts.removeLast();
    }
  }

  private static String padded(String digits) {
    String number = digits.replaceFirst("^0+(?=.)", "");
    return number.length() >= DIGITS
        ? "9".repeat(DIGITS)
        : "0".repeat(DIGITS - number.length()) + number;
  }

  private static int early(String word) {
    for (int i = 0; i < EARLY.size(); i++) {
      if (EARLY.get(i).contains(word)) {
        return i;
      }
    }
    return -1;
  }
}
