package vtdiag.cli;

import java.io.PrintStream;
import vtdiag.report.Style;

/**
 * Where a command prints.
 *
 * @param out what was asked for
 * @param err errors and notes
 * @param style how text may look on {@code out}
 */
record Console(PrintStream out, PrintStream err, Style style) {
  private static final int DEFAULT_WIDTH = 100;

  /** The process's own. */
  @SuppressWarnings("SystemConsoleNull") // With java.base as provider it is null in a pipe.
  static Console ofProcess() {
    // The console that JDK 22 to 24 prefer is there for pipes too, and is slow to load.
    System.setProperty("jdk.console", "java.base");
    boolean terminal = System.console() != null;
    boolean colour =
        terminal && environment("NO_COLOR").isEmpty() && !environment("TERM").equals("dumb");
    return new Console(System.out, System.err, new Style(colour, terminal ? width() : 0));
  }

  void warn(String sentence) {
    err.println("vtdiag: " + sentence);
  }

  private static int width() {
    try {
      String columns = environment("COLUMNS");
      // Shells know the width but seldom export it; the launcher asks the terminal.
      return Math.max(
          40,
          Integer.parseInt(columns.isEmpty() ? System.getProperty("vtdiag.columns", "") : columns));
    } catch (NumberFormatException e) {
      return DEFAULT_WIDTH;
    }
  }

  private static String environment(String name) {
    String value = System.getenv(name);
    return value == null ? "" : value;
  }
}
