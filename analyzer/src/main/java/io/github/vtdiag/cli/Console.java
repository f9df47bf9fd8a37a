package io.github.vtdiag.cli;

import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.Style;
import java.io.PrintStream;
import java.nio.charset.Charset;

/**
 * The output of a command.
 *
 * @param out for what was asked for
 * @param err for errors and notes
 * @param style how text may look on {@code out}
 */
record Console(PrintStream out, PrintStream err, Style style) {
  private static final int DEFAULT_WIDTH = 100;
  private static final char PLUS_MINUS = '\u00b1';

  /** The most causes that are printed: causes can be circular. */
  private static final int MOST_CAUSES = 10;

  /** Returns the console of the process. */
  @SuppressWarnings("SystemConsoleNull") // It is null in a pipe if java.base provides it.
  static Console ofProcess() {
    // The console that JDK 22 to 24 prefer exists for pipes too, and is slow to load.
    System.setProperty("jdk.console", "java.base");
    boolean terminal = System.console() != null;
    boolean colour =
        terminal && environment("NO_COLOR").isEmpty() && !environment("TERM").equals("dumb");
    return new Console(System.out, System.err, new Style(colour, terminal ? width() : 0));
  }

  /** Returns a report as it goes to {@code out}: in ASCII if that has no plus-minus sign. */
  byte[] encoded(String report) {
    Charset charset = out.charset();
    boolean sign = charset.newEncoder().canEncode(PLUS_MINUS);
    return (sign ? report : report.replace(String.valueOf(PLUS_MINUS), "+/-")).getBytes(charset);
  }

  void warn(String sentence) {
    say("vtdiag: " + sentence);
  }

  /** Prints a line for the user, whatever names are in it. */
  void say(String line) {
    err.println(Printable.text(line));
  }

  /** Prints like {@link Throwable#printStackTrace}; messages may be from anywhere. */
  void trace(Throwable thrown) {
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      say((depth == 0 ? "" : "Caused by: ") + cause);
      for (StackTraceElement frame : cause.getStackTrace()) {
        say("    at " + frame);
      }
      cause = cause.getCause();
    }
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
