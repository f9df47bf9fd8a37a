package vtdiag.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import vtdiag.measure.Comparison;
import vtdiag.measure.Comparison.Figure;
import vtdiag.measure.Latency;
import vtdiag.measure.Load;
import vtdiag.measure.Plan;
import vtdiag.measure.Run;

/** A comparison for programs, as {@code docs/compare.schema.json} says. */
public final class ComparisonJson {
  /** The version of the schema. */
  public static final int SCHEMA = 1;

  private final JsonGenerator json;

  private ComparisonJson(JsonGenerator json) {
    this.json = json;
  }

  public static String of(Comparison comparison) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
      new ComparisonJson(json).document(comparison);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.append('\n').toString();
  }

  private void document(Comparison comparison) throws IOException {
    json.writeStartObject();
    json.writeNumberField("schema", SCHEMA);
    json.writeStringField("verdict", comparison.verdict().name());
    json.writeStringField("decisive", comparison.decisive().name());
    texts("changes", comparison.plan().changes());
    json.writeNumberField("pairs", comparison.plan().pairs());
    json.writeFieldName("measure");
    measure(comparison.plan().measure());
    json.writeFieldName("throughput");
    figure(comparison.throughput());
    json.writeArrayFieldStart("latencies");
    for (Figure figure : comparison.latencies()) {
      figure(figure);
    }
    json.writeEndArray();
    if (comparison.ceiling().isPresent()) {
      json.writeNumberField("ceilingPerSecond", comparison.ceiling().getAsDouble());
    } else {
      json.writeNullField("ceilingPerSecond");
    }
    json.writeArrayFieldStart("runs");
    for (Run run : comparison.runs()) {
      run(run);
    }
    json.writeEndArray();
    texts("warnings", comparison.warnings());
    json.writeEndObject();
  }

  private void measure(Plan.Measure measure) throws IOException {
    json.writeStartObject();
    switch (measure) {
      case Plan.Measure.Http http -> {
        json.writeStringField("kind", "HTTP");
        json.writeStringField("url", http.uri().toString());
        switch (http.load()) {
          case Load.Closed closed -> json.writeNumberField("users", closed.users());
          case Load.Open open -> json.writeNumberField("ratePerSecond", open.perSecond());
        }
        json.writeNumberField("warmUpNanos", http.warmUpNanos());
        json.writeNumberField("durationNanos", http.durationNanos());
      }
      case Plan.Measure.Printed printed -> json.writeStringField("kind", "PRINTED");
    }
    json.writeEndObject();
  }

  private void figure(Figure figure) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", figure.name());
    json.writeNumberField("before", figure.before());
    json.writeNumberField("after", figure.after());
    json.writeObjectFieldStart("ratio");
    json.writeNumberField("estimate", figure.ratio().estimate());
    json.writeNumberField("low", figure.ratio().low());
    json.writeNumberField("high", figure.ratio().high());
    json.writeEndObject();
    json.writeEndObject();
  }

  private void run(Run run) throws IOException {
    json.writeStartObject();
    json.writeStringField("side", run.side().name());
    json.writeNumberField("perSecond", run.perSecond());
    json.writeFieldName("requests");
    if (run.load().isPresent()) {
      requests(run.load().get());
    } else {
      json.writeNull();
    }
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
    json.writeEndObject();
  }

  private void requests(Run.Requests requests) throws IOException {
    Latency latency = requests.latency();
    json.writeStartObject();
    json.writeNumberField("sent", requests.sent());
    json.writeNumberField("errors", requests.errors());
    json.writeNumberField("unanswered", requests.unanswered());
    json.writeNumberField("p50Nanos", latency.p50Nanos());
    json.writeNumberField("p99Nanos", latency.p99Nanos());
    json.writeNumberField("p999Nanos", latency.p999Nanos());
    json.writeNumberField("longestNanos", latency.longestNanos());
    json.writeEndObject();
  }

  private void pins(Run.Pins pins) throws IOException {
    json.writeStartObject();
    if (pins.java().isEmpty()) {
      json.writeNullField("java");
    } else {
      json.writeStringField("java", pins.java());
    }
    json.writeNumberField("count", pins.count());
    json.writeNumberField("totalNanos", pins.nanos());
    if (pins.capacityNanos() > 0) {
      json.writeNumberField("capacityNanos", pins.capacityNanos());
    } else {
      json.writeNullField("capacityNanos");
    }
    json.writeEndObject();
  }

  private void texts(String field, List<String> texts) throws IOException {
    json.writeArrayFieldStart(field);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
