package io.github.vtdiag.report;

import io.github.vtdiag.report.words.Document;

/**
 * A form in which a report can be written. Those there are stand in {@code Formats}.
 *
 * <p>For people a format writes the {@link Document}, which has all the words; for programs the
 * {@link Report}, which has all the figures.
 */
public interface Format {

  /** As {@code --format} names it. */
  String name();

  /** Whether it has every finding; the others have the costliest. */
  default boolean isComplete() {
    return false;
  }

  /**
   * Writes a report.
   *
   * @param style how text may look where it goes
   */
  String write(Report report, Style style);
}
