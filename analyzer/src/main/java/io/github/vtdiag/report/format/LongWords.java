package io.github.vtdiag.report.format;

/** Shortens words to a length that people can read. */
public final class LongWords {
  /**
   * The longest word that stays: names given by people are shorter, generated ones have thousands
   * of characters.
   */
  private static final int LONGEST = 400;

  private static final int HEAD = 250;
  private static final int TAIL = 100;

  private LongWords() {}

  /** Returns the text, with the middle of each overlong word left out. */
  public static String shortened(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    StringBuilder shortened = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf(' ', at);
      end = end < 0 ? text.length() : end;
      if (end - at > LONGEST) {
        shortened.append(text, at, at + HEAD).append("...").append(text, end - TAIL, end);
      } else {
        shortened.append(text, at, end);
      }
      if (end < text.length()) {
        shortened.append(' ');
      }
      at = end + 1;
    }
    return shortened.toString();
  }
}
