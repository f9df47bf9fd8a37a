package io.github.vtdiag.model;

import java.util.Locale;

/**
 * Text that came from an application or a recording, made fit for a terminal or a log: what would
 * move the cursor, break the line, turn the direction or not be seen stands as its escape.
 */
public final class Printable {
  private Printable() {}

  /**
   * The text on one line. Control and format characters, line and paragraph separators and lone
   * surrogates stand as Java source writes them: a backslash, a u and four digits. All else stays,
   * backslashes too, so to escape twice changes nothing.
   */
  public static String text(String text) {
    int at = 0;
    while (at < text.length() && !isUnsafe(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    if (at == text.length()) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, at);
    while (at < text.length()) {
      int codePoint = text.codePointAt(at);
      int next = at + Character.charCount(codePoint);
      if (!isUnsafe(codePoint)) {
        escaped.appendCodePoint(codePoint);
      } else {
        text.substring(at, next).chars().forEach(each -> escape((char) each, escaped));
      }
      at = next;
    }
    return escaped.toString();
  }

  /** The text between quotation marks; none inside it can be taken for the closing one. */
  public static String quoted(String text) {
    return '"' + text(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }

  /** The text as a sentence begins, which is not empty. */
  public static String upperFirst(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private static boolean isUnsafe(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }

  private static void escape(char unsafe, StringBuilder to) {
    switch (unsafe) {
      case '\n' -> to.append("\\n");
      case '\r' -> to.append("\\r");
      case '\t' -> to.append("\\t");
      default -> {
        String digits = Integer.toHexString(unsafe);
        to.append("\\u").append("0".repeat(4 - digits.length())).append(digits);
      }
    }
  }
}
