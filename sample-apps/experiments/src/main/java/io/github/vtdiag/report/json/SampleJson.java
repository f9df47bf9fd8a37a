package io.github.vtdiag.report.json;

import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.compare.Ratio;
import io.github.vtdiag.experiment.Machine;
import io.github.vtdiag.experiment.Outcome;
import io.github.vtdiag.experiment.Outcome.Figure;
import io.github.vtdiag.experiment.Outcome.Plot;
import io.github.vtdiag.experiment.Outcome.Series;
import io.github.vtdiag.experiment.Outcome.Table;
import io.github.vtdiag.experiment.Outcome.Versus;
import io.github.vtdiag.report.Diagnosed;
import io.github.vtdiag.report.SampleDocument;
import io.github.vtdiag.report.Sampled;
import io.github.vtdiag.report.words.EntryWords;
import io.github.vtdiag.report.words.Phrase;
import java.util.Optional;
import java.util.OptionalDouble;

/** An experiment for programs, as {@code sample.schema.json} defines it. */
public final class SampleJson {
  private SampleJson() {}

  /** Returns all of it. */
  public static String document(Sampled sampled) {
    return JsonDocument.document(json -> members(json, sampled));
  }

  private static void members(JsonObject json, Sampled sampled) {
    Outcome outcome = sampled.outcome();
    json.put("experiment", sampled.experiment().name())
        .put("short", sampled.isShort())
        .object("machine", machine -> machine(machine, sampled.machine()))
        .put("publishedOn", sampled.experiment().publishedOn())
        .texts("problems", outcome.problems())
        .array("tables", outcome.tables(), SampleJson::table)
        .array("versus", outcome.versus(), SampleJson::versus)
        .array("diagnoses", sampled.diagnosed(), SampleJson::diagnosis)
        .array("plots", outcome.plots(), SampleJson::plot)
        .texts("notes", outcome.notes());
  }

  private static void machine(JsonObject json, Machine machine) {
    json.put("processors", machine.processors())
        .putText("processor", machine.processor())
        .put("memoryBytes", machine.memoryBytes())
        .put("system", machine.system())
        .putText("java", machine.java())
        .put("day", machine.day().toString());
  }

  private static void table(JsonObject json, Table table) {
    json.put("title", table.title())
        .array(
            "rows",
            table.rows(),
            (each, row) ->
                each.put("label", row.label()).array("figures", row.figures(), SampleJson::figure));
  }

  private static void figure(JsonObject json, Figure figure) {
    json.put("name", figure.name())
        .put("unit", figure.unit())
        .put("value", figure.value())
        .put("published", figure.published());
  }

  private static void versus(JsonObject json, Versus versus) {
    Ratio ratio = versus.throughput().ratio();
    json.put("label", versus.label())
        .put("before", versus.before())
        .put("after", versus.after())
        .put("beforePerSecond", versus.throughput().before())
        .put("afterPerSecond", versus.throughput().after())
        .put("ratio", ratio.estimate())
        .put("low", ratio.low())
        .put(
            "high",
            Double.isInfinite(ratio.high())
                ? OptionalDouble.empty()
                : OptionalDouble.of(ratio.high()))
        .put("verdict", versus.verdict())
        .put("pairs", versus.pairs());
  }

  private static void diagnosis(JsonObject json, Diagnosed diagnosed) {
    Optional<AdviceEntry> first = SampleDocument.first(diagnosed);
    json.put("label", diagnosed.label())
        .put("recording", diagnosed.recording())
        .texts("report", SampleDocument.verdict(diagnosed).map(Phrase::text).toList())
        .put("pins", diagnosed.findings().cost().count())
        .put("pinnedNanos", diagnosed.findings().cost().totalNanos())
        .put("first", first.map(entry -> EntryWords.title(entry).text()))
        .put("cause", first.map(SampleDocument::cause));
  }

  private static void plot(JsonObject json, Plot plot) {
    json.put("name", plot.name())
        .put("title", plot.title())
        .put("xLabel", plot.xLabel())
        .put("yLabel", plot.yLabel())
        .put("logY", plot.logY())
        .texts("labels", plot.labels())
        .array("series", plot.series(), SampleJson::series);
  }

  private static void series(JsonObject json, Series series) {
    json.put("name", series.name()).doubles("x", series.x()).doubles("y", series.y());
  }
}
