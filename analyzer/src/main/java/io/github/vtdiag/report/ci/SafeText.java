package io.github.vtdiag.report.ci;

import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.format.LongWords;

/** Text from anywhere, so that no program takes part of it for more than text. */
final class SafeText {
  private SafeText() {}

  /** On one line and no longer than people can read; nothing in it hides, moves or turns. */
  static String text(String text) {
    return name(LongWords.shortened(text));
  }

  /** A name as it is, however long. XML has no characters for two that Unicode has none for. */
  static String name(String name) {
    return Printable.text(name).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff");
  }
}
