package io.github.vtdiag.agent.options;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A method whose calls are counted, all its overloads together.
 *
 * @param className as {@link Class#getName} gives it
 * @param method its name, {@code <init>} for the constructors
 */
public record CountedMethod(String className, String method) {
  /** Names in class files may have nearly any character except these and spaces. */
  private static final Pattern TEXT = Pattern.compile("([^#;/\\[\\s]+)#([^#.;/\\[(\\s]+)");

  /**
   * Reads {@code CLASS#METHOD}.
   *
   * @throws IllegalArgumentException if it has another form; the message says which is allowed
   */
  public static CountedMethod parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "count takes CLASS#METHOD without parameters, such as com.example.Orders#place, or"
              + " several joined with ':', not '"
              + text
              + "'");
    }
    return new CountedMethod(parts.group(1), parts.group(2));
  }

  @Override
  public String toString() {
    return className + "#" + method;
  }
}
