package io.github.vtdiag.compare;

import io.github.vtdiag.model.DataException;
import java.time.Instant;
import java.util.List;

/** Measures one run. */
interface Gauge {
  /**
   * The figures of one run.
   *
   * @param measured one for each measure, in the plan's order
   * @param from when the measured time began
   * @param to when it ended
   */
  record Reading(List<Run.Measured> measured, Instant from, Instant to) {}

  /** Refuses what could not be measured correctly, before the application starts. */
  void check() throws DataException;

  /** Receives every line that the application prints. */
  void line(String line);

  /**
   * Measures an application that has just been started.
   *
   * @throws DataException if there are no figures
   */
  Reading read(Attempt attempt) throws DataException, InterruptedException;
}
