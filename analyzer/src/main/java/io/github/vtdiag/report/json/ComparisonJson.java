package io.github.vtdiag.report.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.compare.Comparison.Figure;
import io.github.vtdiag.compare.Comparison.Measure;
import io.github.vtdiag.compare.Forecast;
import io.github.vtdiag.compare.Latency;
import io.github.vtdiag.compare.Load;
import io.github.vtdiag.compare.Plan.Source;
import io.github.vtdiag.compare.Run;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A comparison for programs, as {@code docs/compare.schema.json} says. */
final class ComparisonJson {
  private final JsonDocument pieces;
  private final JsonGenerator json;

  ComparisonJson(JsonDocument pieces) {
    this.pieces = pieces;
    this.json = pieces.out;
  }

  void members(Comparison comparison) throws IOException {
    pieces.texts("changes", comparison.plan().changes());
    json.writeNumberField("pairs", comparison.plan().pairs());
    json.writeFieldName("source");
    source(comparison.plan().source());
    json.writeArrayFieldStart("measures");
    for (Measure measure : comparison.measures()) {
      measure(measure, comparison.forecast());
    }
    json.writeEndArray();
    json.writeFieldName("prediction");
    if (comparison.forecast().isPresent()) {
      forecast(comparison.forecast().get());
    } else {
      json.writeNull();
    }
    if (comparison.ceiling().isPresent()) {
      json.writeNumberField("ceilingPerSecond", comparison.ceiling().getAsDouble());
    } else {
      json.writeNullField("ceilingPerSecond");
    }
    json.writeArrayFieldStart("runs");
    for (Run run : comparison.runs()) {
      run(run, comparison.plan().source().names());
    }
    json.writeEndArray();
    pieces.texts("warnings", comparison.warnings());
  }

  private void source(Source source) throws IOException {
    json.writeStartObject();
    switch (source) {
      case Source.Http http -> {
        json.writeStringField("kind", "HTTP");
        pieces.texts(
            "urls", http.targets().stream().map(target -> target.uri().toString()).toList());
        switch (http.load()) {
          case Load.Closed closed -> json.writeNumberField("users", closed.users());
          case Load.Open open -> json.writeNumberField("ratePerSecond", open.perSecond());
        }
        json.writeNumberField("warmUpNanos", http.warmUpNanos());
        json.writeNumberField("durationNanos", http.durationNanos());
      }
      case Source.Printed printed -> json.writeStringField("kind", "PRINTED");
      case Source.Counted counted -> {
        json.writeStringField("kind", "COUNTED");
        pieces.texts(
            "methods", counted.methods().stream().map(Source.Counted.Method::method).toList());
        json.writeNumberField("warmUpNanos", counted.warmUpNanos());
        json.writeNumberField("durationNanos", counted.durationNanos());
      }
    }
    json.writeEndObject();
  }

  private void measure(Measure measure, Optional<Forecast> forecast) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", measure.name());
    json.writeStringField("verdict", measure.verdict().name());
    json.writeStringField("decisive", measure.decisive().name());
    json.writeFieldName("throughput");
    figure(measure.throughput());
    json.writeArrayFieldStart("latencies");
    for (Figure figure : measure.latencies()) {
      figure(figure);
    }
    json.writeEndArray();
    if (forecast.orElse(null) instanceof Forecast.Times times) {
      json.writeBooleanField("overlapsPrediction", times.overlaps(measure.throughput().ratio()));
    } else {
      json.writeNullField("overlapsPrediction");
    }
    json.writeEndObject();
  }

  private void figure(Figure figure) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", figure.name());
    json.writeNumberField("before", figure.before());
    json.writeNumberField("after", figure.after());
    json.writeObjectFieldStart("ratio");
    if (figure.ratio().estimate().isPresent()) {
      json.writeNumberField("estimate", figure.ratio().estimate().getAsDouble());
    } else {
      json.writeNullField("estimate");
    }
    json.writeNumberField("low", figure.ratio().low());
    if (Double.isFinite(figure.ratio().high())) {
      json.writeNumberField("high", figure.ratio().high());
    } else {
      json.writeNullField("high");
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private void forecast(Forecast forecast) throws IOException {
    json.writeStartObject();
    switch (forecast) {
      case Forecast.Times times -> {
        json.writeStringField("place", times.place());
        json.writeStringField("change", times.change());
        json.writeNumberField("least", times.least());
        json.writeNumberField("most", times.most());
        json.writeStringField("assumption", times.assumption());
      }
      case Forecast.None none -> json.writeStringField("notPredicted", none.why());
    }
    json.writeEndObject();
  }

  private void run(Run run, List<String> names) throws IOException {
    json.writeStartObject();
    json.writeStringField("side", run.side().name());
    json.writeArrayFieldStart("measured");
    for (int i = 0; i < names.size(); i++) {
      Run.Measured measured = run.measured().get(i);
      json.writeStartObject();
      json.writeStringField("name", names.get(i));
      json.writeNumberField("perSecond", measured.rate().perSecond());
      json.writeFieldName("requests");
      if (measured.requests().isPresent()) {
        requests(measured.requests().get());
      } else {
        json.writeNull();
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeFieldName("pins");
    if (run.pins().isPresent()) {
      pins(run.pins().get());
    } else {
      json.writeNull();
    }
    json.writeFieldName("peak");
    if (run.peak().isPresent()) {
      json.writeStartObject();
      json.writeNumberField("platformThreads", run.peak().get().threads());
      json.writeNumberField("residentBytes", run.peak().get().residentBytes());
      json.writeEndObject();
    } else {
      json.writeNull();
    }
    if (run.peakHeapBytes().isPresent()) {
      json.writeNumberField("peakHeapBytes", run.peakHeapBytes().getAsLong());
    } else {
      json.writeNullField("peakHeapBytes");
    }
    json.writeEndObject();
  }

  private void requests(Run.Requests requests) throws IOException {
    json.writeStartObject();
    json.writeNumberField("sent", requests.sent());
    json.writeNumberField("errors", requests.errors());
    json.writeNumberField("unanswered", requests.unanswered());
    json.writeFieldName("latency");
    if (requests.latency().isPresent()) {
      Latency latency = requests.latency().get();
      json.writeStartObject();
      json.writeNumberField("p50Nanos", latency.p50Nanos());
      json.writeNumberField("p99Nanos", latency.p99Nanos());
      json.writeNumberField("p999Nanos", latency.p999Nanos());
      json.writeNumberField("longestNanos", latency.longestNanos());
      json.writeEndObject();
    } else {
      json.writeNull();
    }
    json.writeEndObject();
  }

  private void pins(Run.Pins pins) throws IOException {
    json.writeStartObject();
    pieces.textOrNull("java", pins.java());
    json.writeNumberField("count", pins.count());
    json.writeNumberField("totalNanos", pins.nanos());
    if (pins.capacityNanos() > 0) {
      json.writeNumberField("capacityNanos", pins.capacityNanos());
    } else {
      json.writeNullField("capacityNanos");
    }
    json.writeEndObject();
  }
}
