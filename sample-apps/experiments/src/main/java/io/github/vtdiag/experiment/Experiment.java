package io.github.vtdiag.experiment;

import io.github.vtdiag.model.DataException;

/** An experiment that readers of articles want to repeat. */
public interface Experiment {
  /** Returns its name, as typed. */
  String name();

  /** Returns what it shows, in one line. */
  String about();

  /** Returns the hardware and the JDK of the published figures, as far as they are known. */
  String publishedOn();

  /**
   * Runs all of it.
   *
   * @throws DataException if a program gave no figures
   */
  Outcome run(Bench bench) throws DataException, InterruptedException;
}
