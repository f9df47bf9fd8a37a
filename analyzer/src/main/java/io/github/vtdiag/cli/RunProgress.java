package io.github.vtdiag.cli;

import io.github.vtdiag.compare.PairedRuns;
import io.github.vtdiag.model.Printable;
import java.io.PrintStream;

/** Shows the progress of a comparison: in place on a terminal, else one line per run with -v. */
final class RunProgress implements PairedRuns.Listener, AutoCloseable {
  private final PrintStream terminal;
  private final Console console;
  private final OutputOptions output;
  private int told = -1;

  /** Shows progress on {@code terminal}; as notes if that is null. */
  RunProgress(PrintStream terminal, Console console, OutputOptions output) {
    this.terminal = terminal;
    this.console = console;
    this.output = output;
  }

  static RunProgress of(Console console, OutputOptions output) {
    return new RunProgress(ProgressBar.terminal(console, output.quiet), console, output);
  }

  @Override
  public void at(int run, int runs, String what) {
    String line = Printable.text(run == 0 ? what : "run " + run + " of " + runs + ": " + what);
    if (terminal != null) {
      terminal.print(ProgressBar.CLEAR + line);
      terminal.flush();
    } else if (run != told) {
      told = run;
      output.note(console, run == 0 ? line : "run " + run + " of " + runs);
    }
  }

  @Override
  public void close() {
    if (terminal != null) {
      terminal.print(ProgressBar.CLEAR);
      terminal.flush();
    }
  }
}
