package io.github.vtdiag.spark;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The frame of each job: Spark starts when the options were right, and bad input is one line. */
abstract class LakeJob implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  @SuppressWarnings("UnusedVariable") // picocli reads it.
  private boolean help;

  /** Refuses options that are wrong together. */
  void check() {}

  /** Does the work, and returns the exit code. */
  abstract int run(SparkSession spark) throws DataException, IOException;

  ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  @Override
  public final Integer call() {
    check();
    try (SparkSession spark = SparkSession.builder().appName("vtdiag fleet").getOrCreate()) {
      return run(spark);
    } catch (DataException e) {
      FleetJob.say(e.getMessage());
    } catch (IOException e) {
      FleetJob.say(e.toString());
    } catch (IllegalArgumentException e) {
      // Hadoop refuses names that are no paths so.
      FleetJob.say(e.getMessage());
    }
    return FleetJob.BAD_INPUT;
  }

  static Configuration configuration(SparkSession spark) {
    return spark.sparkContext().hadoopConfiguration();
  }

  /** Returns the path of a name; without a file system it is in the default one. */
  static Path path(SparkSession spark, String name) throws IOException {
    Path path = new Path(name);
    return path.getFileSystem(configuration(spark)).makeQualified(path);
  }

  static SparkLake lake(SparkSession spark, String name) throws IOException {
    return new SparkLake(spark, path(spark, name));
  }
}
