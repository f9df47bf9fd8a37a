package io.github.vtdiag.report.format;

/** Words as long as people can read. */
public final class LongWords {
  /** No name that a person gave is longer; generated ones of thousands of characters exist. */
  private static final int LONGEST = 400;

  private static final int HEAD = 250;
  private static final int TAIL = 100;

  private LongWords() {}

  /** The text, with the middle of each overlong word left out. */
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
