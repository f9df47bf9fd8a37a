package io.github.vtdiag.spark;

import io.github.vtdiag.fleet.FleetGate;
import io.github.vtdiag.fleet.LakeEngine;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.policy.PolicyFile;
import io.github.vtdiag.report.Report;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Holds a fleet against a policy. */
@Command(
    name = "gate",
    description = "Judges what vtdiag fleet gate judges, with the same verdicts.")
final class GateJob extends AnswerJob {
  @Option(
      names = "--policy",
      required = true,
      paramLabel = "PATH",
      description = "The policy (docs/gate.md).")
  private String policy;

  private Policy allowed;

  @Override
  void prepare(SparkSession spark) throws DataException, IOException {
    Path file = path(spark, policy);
    try (FSDataInputStream in = file.getFileSystem(configuration(spark)).open(file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      allowed =
          FleetGate.policy(
              PolicyFile.parse(java.nio.file.Path.of(policy), text), LocalDate.now(ZoneOffset.UTC));
    } catch (FileNotFoundException e) {
      throw new DataException(policy + ": no such file; name a policy with --policy PATH", e);
    }
  }

  @Override
  Report report(LakeEngine engine, Scope scope) throws DataException {
    return new Report.FleetJudgement(FleetGate.judge(engine, scope.by(), scope.since(), allowed));
  }

  @Override
  int exitCode(Report report) {
    return switch (((Report.FleetJudgement) report).verdict().kind()) {
      case PASS -> FleetJob.OK;
      case FAIL -> FleetJob.FAIL;
      case NO_DATA -> FleetJob.NO_DATA;
    };
  }
}
