package io.github.vtdiag.cli;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Shows on a terminal how much of the input was read, if that takes longer than a moment. */
final class ProgressBar implements AutoCloseable {
  private static final long DELAY_NANOS = 1_000_000_000;
  private static final long INTERVAL_NANOS = 100_000_000;
  private static final int WIDTH = 30;

  /** Back to the start of the line, and clear it. */
  static final String CLEAR = "\r\u001b[K";

  private final PrintStream terminal;
  private final long total;
  private final LongSupplier clock;
  private long next;
  private long read;
  private boolean shown;

  /**
   * Shows nothing yet.
   *
   * @param terminal null if there is none
   * @param total the bytes there are, or -1 if that is not known
   * @param clock in nanoseconds
   */
  ProgressBar(PrintStream terminal, long total, LongSupplier clock) {
    this.terminal = terminal;
    this.total = total;
    this.clock = clock;
    next = clock.getAsLong() + DELAY_NANOS;
  }

  static ProgressBar of(Console console, long total, boolean quiet) {
    return new ProgressBar(terminal(console, quiet), total, System::nanoTime);
  }

  /** Returns the terminal for progress; null if there is none. */
  static PrintStream terminal(Console console, boolean quiet) {
    // Java knows whether standard input and output are a terminal, but not standard error: the
    // launcher tells.
    boolean terminal =
        "yes".equals(System.getProperty("vtdiag.terminal"))
            && !"dumb".equals(System.getenv("TERM"));
    return terminal && !quiet ? console.err() : null;
  }

  /** Counts more bytes as read. */
  void add(long bytes) {
    read += bytes;
    if (terminal == null || clock.getAsLong() - next < 0) {
      return;
    }
    next = clock.getAsLong() + INTERVAL_NANOS;
    shown = true;
    terminal.print(CLEAR + line());
    terminal.flush();
  }

  private String line() {
    if (total <= 0) {
      return String.format(Locale.ROOT, "reading %,d MB", read >> 20);
    }
    // A growing file has more than it had.
    double share = Math.min(1, (double) read / total);
    int filled = (int) (share * WIDTH);
    return String.format(
        Locale.ROOT,
        "reading [%s%s] %,d of %,d MB  %.0f%%",
        "#".repeat(filled),
        " ".repeat(WIDTH - filled),
        read >> 20,
        total >> 20,
        share * 100);
  }

  @Override
  public void close() {
    if (shown) {
      terminal.print(CLEAR);
      terminal.flush();
    }
  }
}
