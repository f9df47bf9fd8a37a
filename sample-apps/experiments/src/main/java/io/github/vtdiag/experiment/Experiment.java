package io.github.vtdiag.experiment;

import io.github.vtdiag.model.DataException;

/** An experiment that readers of articles want to repeat. */
public interface Experiment {
  /** As it is typed. */
  String name();

  /** What it shows, in one line. */
  String about();

  /** What the published figures were measured on. */
  String publishedOn();

  /**
   * Runs all of it.
   *
   * @throws DataException if a program gave no figures
   */
  Outcome run(Bench bench) throws DataException, InterruptedException;
}
