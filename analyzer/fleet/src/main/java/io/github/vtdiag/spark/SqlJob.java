package io.github.vtdiag.spark;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Answers a query of the user's own. */
@Command(
    name = "sql",
    description = "Answers a query of your own, in Spark's SQL, with a line of JSON for each row.")
final class SqlJob extends LakeJob {
  @Parameters(index = "0", paramLabel = "LAKE", description = "The lake.")
  private String lake;

  @Parameters(index = "1", paramLabel = "QUERY", description = "One query.")
  private String query;

  @Override
  int run(SparkSession spark) throws DataException, IOException {
    lake(spark, lake)
        .ask(query)
        .toJSON()
        .toLocalIterator()
        .forEachRemaining(row -> FleetJob.print(row + "\n"));
    return FleetJob.OK;
  }
}
