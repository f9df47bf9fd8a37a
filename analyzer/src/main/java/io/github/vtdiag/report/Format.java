package io.github.vtdiag.report;

import io.github.vtdiag.report.words.Document;

/**
 * An output format of reports. The available ones are in {@code Formats}.
 *
 * <p>A format for people writes the {@link Document}, which has all the words. One for programs
 * writes the {@link Report}, which has all the figures.
 */
public interface Format {

  /** Returns the name for {@code --format}. */
  String name();

  /** Returns whether the format has every finding; others have only the costliest. */
  default boolean isComplete() {
    return false;
  }

  /**
   * Writes a report.
   *
   * @param style the style of text that the destination allows
   */
  String write(Report report, Style style);
}
