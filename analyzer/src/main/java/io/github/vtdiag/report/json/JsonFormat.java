package io.github.vtdiag.report.json;

import io.github.vtdiag.report.Format;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;

/** Reports as JSON, according to {@code docs/json-schema.md}. */
public final class JsonFormat implements Format {
  @Override
  public String name() {
    return "json";
  }

  @Override
  public boolean isComplete() {
    return true;
  }

  @Override
  public String write(Report report, Style style) {
    return JsonDocument.document(
        json -> {
          switch (report) {
            case Report.Analysis of -> FindingsJson.members(json, of.findings(), of.advice());
            case Report.Recommendations of -> {
              FindingsJson.members(json, of.findings(), of.advice());
              UpgradeJson.member(json, of.advice().fixes().read());
              if (of.assumed().isPresent()) {
                AssumptionJson.member(json, of.assumed().get());
              }
            }
            case Report.Judgement of -> {
              GateJson.member(json, of.verdict());
              FindingsJson.members(json, of.findings(), of.advice().orElseThrow());
            }
            case Report.Scanned of -> ScanJson.members(json, of);
            case Report.Hung of -> HangJson.members(json, of.answer());
            case Report.Jvms of -> JvmsJson.members(json, of.jvms());
            case Report.Changed of -> DiffJson.members(json, of.difference());
            case Report.Fleet of -> FleetJson.members(json, of.answers());
            case Report.Queried of -> FleetJson.rows(json, "rows", of.answer());
            case Report.FleetJudgement of -> FleetJson.members(json, of.verdict());
            case Report.Compared of -> ComparisonJson.members(json, of.comparison());
          }
        });
  }
}
