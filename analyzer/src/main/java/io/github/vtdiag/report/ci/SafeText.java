package io.github.vtdiag.report.ci;

import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.format.LongWords;

/** Escapes text from anywhere, so that every program takes all of it for text. */
final class SafeText {
  private SafeText() {}

  /**
   * Returns text on one line and no longer than people can read; nothing in it hides, moves or
   * changes direction.
   */
  static String text(String text) {
    return name(LongWords.shortened(text));
  }

  /** Returns a name with its full length. XML cannot represent two noncharacters of Unicode. */
  static String name(String name) {
    return Printable.text(name).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff");
  }
}
