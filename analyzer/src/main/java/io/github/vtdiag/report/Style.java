package io.github.vtdiag.report;

import io.github.vtdiag.report.words.Phrase;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The style of text that a destination allows.
 *
 * @param colour whether escape codes are understood
 * @param width the number of columns; 0 if lines must not be broken, such as in a pipe
 */
public record Style(boolean colour, int width) {
  /** The style for pipes and files. */
  public static final Style PLAIN = new Style(false, 0);

  private static final Pattern CODES = Pattern.compile("\u001b\\[[0-9;]*m");

  public String bold(String text) {
    return coded("1", text);
  }

  String dim(String text) {
    return coded("2", text);
  }

  String red(String text) {
    return coded("1;31", text);
  }

  public String green(String text) {
    return coded("32", text);
  }

  public String yellow(String text) {
    return coded("33", text);
  }

  /**
   * Returns a phrase with its tones.
   *
   * @param words turns each part's text into one that is safe for a terminal
   */
  public String styled(Phrase phrase, UnaryOperator<String> words) {
    StringBuilder line = new StringBuilder();
    for (Phrase.Part part : phrase.parts()) {
      String text = words.apply(part.text());
      line.append(
          switch (part.tone()) {
            case PLAIN, NAME -> text;
            case STRONG -> bold(text);
            case FAINT -> dim(text);
            case GOOD -> green(text);
            case BAD -> red(text);
            case WARNING, FIGURE -> yellow(text);
          });
    }
    return line.toString();
  }

  /**
   * Returns one line, indented. If there is a width, it is broken at spaces and continued with more
   * indentation.
   */
  public String line(int indent, String text) {
    String first = " ".repeat(indent);
    if (width == 0) {
      return first + text + "\n";
    }
    StringBuilder lines = new StringBuilder(first);
    int column = indent;
    boolean fresh = true;
    for (String word : text.split(" ", -1)) {
      int length = CODES.matcher(word).replaceAll("").length();
      if (!fresh && column + 1 + length > width) {
        lines.append('\n').append(" ".repeat(indent + 2));
        column = indent + 2;
        fresh = true;
      }
      if (!fresh) {
        lines.append(' ');
        column++;
      }
      lines.append(word);
      column += length;
      fresh = false;
    }
    return lines.append('\n').toString();
  }

  /**
   * Returns commands for the next steps, one a line. None is broken, so that they can be copied.
   */
  public String commands(List<String> commands) {
    String first = "  Next: ";
    return first + String.join("\n" + " ".repeat(first.length()), commands) + "\n";
  }

  private String coded(String code, String text) {
    return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
