package io.github.vtdiag.spark;

import io.github.vtdiag.fleet.FleetAnswers.Answer;
import io.github.vtdiag.fleet.LakeEngine;
import io.github.vtdiag.model.DataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Spark as the engine of queries, in a session of its own. */
record SparkEngine(SparkSession session) implements LakeEngine {
  @Override
  public void execute(String sql) throws DataException {
    rows(sql);
  }

  @Override
  public Answer query(String sql) throws DataException {
    Dataset<Row> answer = rows(sql);
    List<List<Object>> rows = new ArrayList<>();
    for (Row row : answer.collectAsList()) {
      List<Object> cells = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        cells.add(row.get(i));
      }
      rows.add(cells);
    }
    return Answer.of(Arrays.asList(answer.columns()), rows);
  }

  Dataset<Row> rows(String sql) throws DataException {
    try {
      return session.sql(sql);
    } catch (Exception e) {
      // Scala declares no exceptions, so javac knows of none here.
      if (e instanceof AnalysisException) {
        throw new DataException(e.getMessage().lines().findFirst().orElse("wrong query"), e);
      }
      throw e;
    }
  }
}
