package io.github.vtdiag.cli;

import io.github.vtdiag.model.DataException;

/** Process ids as people write them. */
final class ProcessId {
  private ProcessId() {}

  /** Whether it is written like one. */
  static boolean isNumber(String text) {
    return text.matches("\\d+");
  }

  /** Reads one that a process can have. */
  static long parse(String text) throws DataException {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new DataException("there is no process " + text + "; vtdiag ps lists the JVMs", e);
    }
  }
}
