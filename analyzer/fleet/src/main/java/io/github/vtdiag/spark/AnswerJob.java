package io.github.vtdiag.spark;

import io.github.vtdiag.fleet.LakeEngine;
import io.github.vtdiag.fleet.options.GroupOptions;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.report.Format;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.format.Formats;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A job that asks a lake, and writes the document that the command line would write. */
abstract class AnswerJob extends LakeJob {
  /**
   * The recordings that a job asks for.
   *
   * @param lake as the user named it
   * @param by the properties by which they are grouped
   * @param since only versions from this one on; empty for all
   */
  record Scope(String lake, List<String> by, String since) {}

  @Parameters(paramLabel = "LAKE", description = "The lake.")
  private String lake;

  @Mixin private GroupOptions groups;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How to write it: text, json, markdown or html (default: text).")
  private String format = Formats.TEXT.name();

  @Option(names = "--json", description = "Short for --format json.")
  private boolean json;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "PATH",
      description = "Write there instead of standard output, such as s3a://bucket/fleet.html.")
  private String output;

  @Override
  void check() {
    groups
        .refusal()
        .ifPresent(
            refusal -> {
              throw wrong(refusal);
            });
    format();
  }

  private Format format() {
    return json
        ? Formats.JSON
        : Formats.named(format)
            .orElseThrow(
                () -> wrong("'%s' is no format; write %s".formatted(format, Formats.names())));
  }

  /** Reads what the job needs beside the lake. */
  void prepare(SparkSession spark) throws DataException, IOException {}

  abstract Report report(LakeEngine engine, Scope scope) throws DataException;

  /** Returns the exit code of a report. */
  int exitCode(Report report) {
    return FleetJob.OK;
  }

  @Override
  final int run(SparkSession spark) throws DataException, IOException {
    prepare(spark);
    Report report =
        report(lake(spark, lake).engine(), new Scope(lake, groups.by(), groups.since()));
    String text = format().write(report, Style.PLAIN);
    if (output == null) {
      FleetJob.print(text);
    } else {
      Path to = path(spark, output);
      HadoopStore.of(to.getParent(), configuration(spark)).write(to.getName(), text);
    }
    return exitCode(report);
  }
}
