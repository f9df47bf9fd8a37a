package vtdiag.compare;

import java.time.Instant;
import java.util.List;
import vtdiag.model.DataException;

/** Takes the figures of one run. */
interface Gauge {
  /**
   * What it took.
   *
   * @param measured one for each measure, in the plan's order
   * @param from when the measured time began
   * @param to when it ended
   */
  record Reading(List<Run.Measured> measured, Instant from, Instant to) {}

  /** Refuses what would be measured wrongly, before the application is started. */
  void check() throws DataException;

  /** Is told every line that the application prints. */
  void line(String line);

  /**
   * Measures an application that was started just now.
   *
   * @throws DataException if there are no figures
   */
  Reading read(Attempt attempt) throws DataException, InterruptedException;
}
