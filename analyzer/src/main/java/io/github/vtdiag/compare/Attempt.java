package io.github.vtdiag.compare;

import io.github.vtdiag.model.DataException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A run that has begun.
 *
 * @param name names it in a sentence: {@code run 3 of 10 (with the change)}
 * @param progress is told what happens, in a few words
 * @param ending whether vtdiag itself is being ended
 */
public record Attempt(
    String name, MeasuredProcess application, Consumer<String> progress, BooleanSupplier ending)
    implements AutoCloseable {

  public void at(String what) {
    progress.accept(what);
  }

  /**
   * Returns the failure of this run, from a clause; the end of the application's output is quoted.
   */
  public DataException failed(String clause) {
    List<String> end = application.outputEnd();
    return new DataException(
        name + " " + clause + (end.isEmpty() ? "; it printed nothing" : "; the end of its output:"),
        end);
  }

  /** Returns the same as {@link #failed}, of an application that has ended. */
  public DataException ended(String when) {
    return ending.getAsBoolean()
        ? new DataException("interrupted; everything that was started has been stopped")
        : failed("ended with exit code " + application.exitCode() + when);
  }

  @Override
  public void close() {
    application.close();
  }
}
