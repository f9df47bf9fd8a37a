package io.github.vtdiag.report.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.vtdiag.advice.AdviceEntry;
import io.github.vtdiag.compare.Ratio;
import io.github.vtdiag.experiment.Machine;
import io.github.vtdiag.experiment.Outcome;
import io.github.vtdiag.experiment.Outcome.Figure;
import io.github.vtdiag.experiment.Outcome.Plot;
import io.github.vtdiag.experiment.Outcome.Row;
import io.github.vtdiag.experiment.Outcome.Series;
import io.github.vtdiag.experiment.Outcome.Table;
import io.github.vtdiag.experiment.Outcome.Versus;
import io.github.vtdiag.report.Diagnosed;
import io.github.vtdiag.report.SampleDocument;
import io.github.vtdiag.report.Sampled;
import io.github.vtdiag.report.words.EntryWords;
import io.github.vtdiag.report.words.Phrase;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** An experiment for programs, as {@code sample.schema.json} says. */
public final class SampleJson {
  private final JsonDocument pieces;
  private final JsonGenerator json;

  private SampleJson(JsonDocument pieces) {
    this.pieces = pieces;
    this.json = pieces.out;
  }

  /** All of it. */
  public static String document(Sampled sampled) {
    return JsonDocument.document(json -> new SampleJson(json).members(sampled));
  }

  private void members(Sampled sampled) throws IOException {
    json.writeStringField("experiment", sampled.experiment().name());
    json.writeBooleanField("short", sampled.isShort());
    machine(sampled.machine());
    json.writeStringField("publishedOn", sampled.experiment().publishedOn());
    Outcome outcome = sampled.outcome();
    pieces.texts("problems", outcome.problems());
    json.writeArrayFieldStart("tables");
    for (Table table : outcome.tables()) {
      table(table);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("versus");
    for (Versus versus : outcome.versus()) {
      versus(versus);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("diagnoses");
    for (Diagnosed diagnosed : sampled.diagnosed()) {
      diagnosis(diagnosed);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("plots");
    for (Plot plot : outcome.plots()) {
      plot(plot);
    }
    json.writeEndArray();
    pieces.texts("notes", outcome.notes());
  }

  private void machine(Machine machine) throws IOException {
    json.writeObjectFieldStart("machine");
    json.writeNumberField("processors", machine.processors());
    pieces.textOrNull("processor", machine.processor());
    if (machine.memoryBytes().isPresent()) {
      json.writeNumberField("memoryBytes", machine.memoryBytes().getAsLong());
    } else {
      json.writeNullField("memoryBytes");
    }
    json.writeStringField("system", machine.system());
    pieces.textOrNull("java", machine.java());
    json.writeStringField("day", machine.day().toString());
    json.writeEndObject();
  }

  private void table(Table table) throws IOException {
    json.writeStartObject();
    json.writeStringField("title", table.title());
    json.writeArrayFieldStart("rows");
    for (Row row : table.rows()) {
      json.writeStartObject();
      json.writeStringField("label", row.label());
      json.writeArrayFieldStart("figures");
      for (Figure figure : row.figures()) {
        json.writeStartObject();
        json.writeStringField("name", figure.name());
        json.writeStringField("unit", JsonDocument.name(figure.unit()));
        json.writeNumberField("value", figure.value());
        pieces.share("published", figure.published());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void versus(Versus versus) throws IOException {
    Ratio ratio = versus.throughput().ratio();
    json.writeStartObject();
    json.writeStringField("label", versus.label());
    json.writeStringField("before", versus.before());
    json.writeStringField("after", versus.after());
    json.writeNumberField("beforePerSecond", versus.throughput().before());
    json.writeNumberField("afterPerSecond", versus.throughput().after());
    pieces.share("ratio", ratio.estimate());
    json.writeNumberField("low", ratio.low());
    pieces.share(
        "high",
        Double.isInfinite(ratio.high()) ? OptionalDouble.empty() : OptionalDouble.of(ratio.high()));
    json.writeStringField("verdict", JsonDocument.name(versus.verdict()));
    json.writeNumberField("pairs", versus.pairs());
    json.writeEndObject();
  }

  private void diagnosis(Diagnosed diagnosed) throws IOException {
    json.writeStartObject();
    json.writeStringField("label", diagnosed.label());
    json.writeStringField("recording", diagnosed.recording());
    pieces.texts("report", SampleDocument.verdict(diagnosed).map(Phrase::text).toList());
    json.writeNumberField("pins", diagnosed.findings().cost().count());
    json.writeNumberField("pinnedNanos", diagnosed.findings().cost().totalNanos());
    Optional<AdviceEntry> first = SampleDocument.first(diagnosed);
    pieces.textOrNull("first", first.map(entry -> EntryWords.title(entry).text()).orElse(""));
    pieces.textOrNull("cause", first.map(SampleDocument::cause).orElse(""));
    json.writeEndObject();
  }

  private void plot(Plot plot) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", plot.name());
    json.writeStringField("title", plot.title());
    json.writeStringField("xLabel", plot.xLabel());
    json.writeStringField("yLabel", plot.yLabel());
    json.writeBooleanField("logY", plot.logY());
    pieces.texts("labels", plot.labels());
    json.writeArrayFieldStart("series");
    for (Series series : plot.series()) {
      json.writeStartObject();
      json.writeStringField("name", series.name());
      numbers("x", series.x());
      numbers("y", series.y());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void numbers(String field, List<Double> numbers) throws IOException {
    json.writeArrayFieldStart(field);
    for (double number : numbers) {
      json.writeNumber(number);
    }
    json.writeEndArray();
  }
}
