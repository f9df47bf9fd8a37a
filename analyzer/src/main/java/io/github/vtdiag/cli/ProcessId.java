package io.github.vtdiag.cli;

import io.github.vtdiag.model.DataException;

/** Process ids as people write them. */
final class ProcessId {
  private ProcessId() {}

  /** Returns whether the text looks like a process id. */
  static boolean isNumber(String text) {
    return text.matches("\\d+");
  }

  /** Reads an id that a process can have. */
  static long parse(String text) throws DataException {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new DataException("there is no process " + text + "; vtdiag ps lists the JVMs", e);
    }
  }
}
