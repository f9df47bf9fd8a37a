package io.github.vtdiag.spark;

import io.github.vtdiag.fleet.FleetAnswers;
import io.github.vtdiag.fleet.LakeEngine;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.report.Report;
import picocli.CommandLine.Command;

/** Asks the questions of a fleet. */
@Command(
    name = "report",
    description = "Answers what vtdiag fleet report answers, with the same documents.")
final class ReportJob extends AnswerJob {
  @Override
  Report report(LakeEngine engine, Scope scope) throws DataException {
    return new Report.Fleet(FleetAnswers.of(engine, scope.lake(), scope.by(), scope.since()));
  }
}
