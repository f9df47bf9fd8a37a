package io.github.vtdiag.spark;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Merges the files of a lake. */
@Command(
    name = "compact",
    description =
        "Makes one batch of all. Where a table has several files for a service and a day, they"
            + " become one.")
final class CompactJob extends LakeJob {
  @Parameters(paramLabel = "LAKE", description = "The lake.")
  private String lake;

  @Override
  int run(SparkSession spark) throws DataException, IOException {
    SparkLake all = lake(spark, lake);
    all.compact();
    FleetJob.say("the lake has " + all.contents());
    return FleetJob.OK;
  }
}
