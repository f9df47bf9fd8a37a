package io.github.vtdiag.cli;

import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.Style;
import java.io.PrintStream;
import java.nio.charset.Charset;

/**
 * Where a command prints.
 *
 * @param out what was asked for
 * @param err errors and notes
 * @param style how text may look on {@code out}
 */
record Console(PrintStream out, PrintStream err, Style style) {
  private static final int DEFAULT_WIDTH = 100;
  private static final char PLUS_MINUS = '\u00b1';

  /** Causes can go round in a circle. */
  private static final int MOST_CAUSES = 10;

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

  /** A report as it goes to {@code out}: where that has no plus-minus sign, in ASCII. */
  byte[] encoded(String report) {
    Charset charset = out.charset();
    boolean sign = charset.newEncoder().canEncode(PLUS_MINUS);
    return (sign ? report : report.replace(String.valueOf(PLUS_MINUS), "+/-")).getBytes(charset);
  }

  void warn(String sentence) {
    say("vtdiag: " + sentence);
  }

  /** A line for whoever waits, whatever names are in it. */
  void say(String line) {
    err.println(Printable.text(line));
  }

  /** As {@link Throwable#printStackTrace}, where a message may be from anywhere. */
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
