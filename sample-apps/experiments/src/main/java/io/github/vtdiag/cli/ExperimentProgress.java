package io.github.vtdiag.cli;

import io.github.vtdiag.model.Printable;
import java.io.PrintStream;

/** Shows the progress of an experiment: in place on a terminal, else as notes with -v. */
final class ExperimentProgress implements AutoCloseable {
  private final PrintStream terminal;
  private final Console console;
  private final OutputOptions output;

  ExperimentProgress(Console console, OutputOptions output) {
    this.terminal = ProgressBar.terminal(console, output.quiet);
    this.console = console;
    this.output = output;
  }

  void at(String what) {
    if (terminal != null) {
      terminal.print(ProgressBar.CLEAR + Printable.text(what));
      terminal.flush();
    } else {
      output.note(console, Printable.text(what));
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
