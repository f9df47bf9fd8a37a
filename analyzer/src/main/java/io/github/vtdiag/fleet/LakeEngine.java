package io.github.vtdiag.fleet;

import io.github.vtdiag.fleet.FleetAnswers.Answer;
import io.github.vtdiag.model.DataException;

/**
 * An engine that queries the tables of a lake: DuckDB in this JVM, or Apache Spark on a cluster.
 * Both run the same statements. These are SQL that both understand, with Spark's names of the
 * functions: DuckDB gets macros for those that it lacks.
 */
public interface LakeEngine {
  /** Runs a statement that has no result. */
  void execute(String sql) throws DataException;

  Answer query(String sql) throws DataException;
}
