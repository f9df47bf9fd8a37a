package io.github.vtdiag.report.json;

import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.compare.Comparison.Figure;
import io.github.vtdiag.compare.Comparison.Measure;
import io.github.vtdiag.compare.Forecast;
import io.github.vtdiag.compare.Load;
import io.github.vtdiag.compare.Plan.Source;
import io.github.vtdiag.compare.Run;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Writes a comparison as JSON, according to {@code docs/compare.schema.json}. */
final class ComparisonJson {
  private ComparisonJson() {}

  static void members(JsonObject json, Comparison comparison) {
    Source from = comparison.plan().source();
    json.texts("changes", comparison.plan().changes())
        .put("pairs", comparison.plan().pairs())
        .object("source", source -> source(source, from))
        .array(
            "measures",
            comparison.measures(),
            (each, measure) -> measure(each, measure, comparison.forecast()))
        .object("prediction", comparison.forecast(), ComparisonJson::forecast)
        .put("ceilingPerSecond", comparison.ceiling())
        .array("runs", comparison.runs(), ComparisonJson::run)
        .texts("warnings", comparison.warnings());
  }

  private static void source(JsonObject json, Source source) {
    switch (source) {
      case Source.Http http -> {
        json.put("kind", "HTTP")
            .texts("urls", http.targets().stream().map(of -> of.uri().toString()).toList());
        switch (http.load()) {
          case Load.Closed closed -> json.put("users", closed.users());
          case Load.Open open -> json.put("ratePerSecond", open.perSecond());
        }
        json.put("warmUpNanos", http.warmUpNanos()).put("durationNanos", http.durationNanos());
      }
      case Source.Printed printed -> json.put("kind", "PRINTED");
      case Source.Counted counted ->
          json.put("kind", "COUNTED")
              .texts(
                  "methods", counted.methods().stream().map(Source.Counted.Method::method).toList())
              .put("warmUpNanos", counted.warmUpNanos())
              .put("durationNanos", counted.durationNanos());
    }
  }

  private static void measure(JsonObject json, Measure measure, Optional<Forecast> forecast) {
    json.put("name", measure.name())
        .put("verdict", measure.verdict())
        .put("decisive", measure.decisive().name())
        .object("throughput", each -> figure(each, measure.throughput()))
        .array("latencies", measure.latencies(), ComparisonJson::figure);
    if (forecast.orElse(null) instanceof Forecast.Times times) {
      json.put("overlapsPrediction", times.overlaps(measure.throughput().ratio()));
    } else {
      json.putNull("overlapsPrediction");
    }
  }

  private static void figure(JsonObject json, Figure figure) {
    double high = figure.ratio().high();
    json.put("name", figure.name())
        .put("before", figure.before())
        .put("after", figure.after())
        .object(
            "ratio",
            ratio ->
                ratio
                    .put("estimate", figure.ratio().estimate())
                    .put("low", figure.ratio().low())
                    .put(
                        "high",
                        Double.isFinite(high) ? OptionalDouble.of(high) : OptionalDouble.empty()));
  }

  private static void forecast(JsonObject json, Forecast forecast) {
    switch (forecast) {
      case Forecast.Times times ->
          json.put("place", times.place())
              .put("change", times.change())
              .put("least", times.least())
              .put("most", times.most())
              .put("assumption", times.assumption());
      case Forecast.None none -> json.put("notPredicted", none.why());
    }
  }

  private static void run(JsonObject json, Run run) {
    json.put("side", run.side())
        .array(
            "measured",
            run.measured(),
            (each, of) ->
                each.put("name", of.name())
                    .put("perSecond", of.rate().perSecond())
                    .object("requests", of.requests(), ComparisonJson::requests))
        .object("pins", run.pins(), ComparisonJson::pins)
        .object(
            "peak",
            run.peak(),
            (each, peak) ->
                each.put("platformThreads", peak.threads())
                    .put("residentBytes", peak.residentBytes()))
        .put("peakHeapBytes", run.peakHeapBytes());
  }

  private static void requests(JsonObject json, Run.Requests requests) {
    json.put("sent", requests.sent())
        .put("errors", requests.errors())
        .put("unanswered", requests.unanswered())
        .object(
            "latency",
            requests.latency(),
            (each, latency) ->
                each.put("p50Nanos", latency.p50Nanos())
                    .put("p99Nanos", latency.p99Nanos())
                    .put("p999Nanos", latency.p999Nanos())
                    .put("longestNanos", latency.longestNanos()));
  }

  private static void pins(JsonObject json, Run.Pins pins) {
    long capacity = pins.capacityNanos();
    json.putText("java", pins.java())
        .put("count", pins.count())
        .put("totalNanos", pins.nanos())
        .put("capacityNanos", capacity > 0 ? OptionalLong.of(capacity) : OptionalLong.empty());
  }
}
