package io.github.vtdiag.report;

import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.compare.Comparison.Figure;
import io.github.vtdiag.compare.Comparison.Measure;
import io.github.vtdiag.compare.Forecast;
import io.github.vtdiag.compare.Peak;
import io.github.vtdiag.compare.Plan.Source;
import io.github.vtdiag.compare.Ratio;
import io.github.vtdiag.compare.Run;
import io.github.vtdiag.compare.Side;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.words.ComparisonFigures;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Heading;
import io.github.vtdiag.report.words.Document.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The table of both sides' figures: those of each measure, then those of the process. */
final class ComparisonTable {
  private static final List<Heading> COLUMNS =
      List.of(
          new Heading("", false),
          new Heading("before", true),
          new Heading("after", true),
          new Heading("after/before", true),
          new Heading("95% interval", false));

  private final Comparison comparison;

  private ComparisonTable(Comparison comparison) {
    this.comparison = comparison;
  }

  static Block.Table of(Comparison comparison) {
    return new Block.Table(COLUMNS, new ComparisonTable(comparison).sections());
  }

  private List<Section> sections() {
    boolean several = comparison.measures().size() > 1;
    List<Section> sections = new ArrayList<>();
    for (Measure measure : comparison.measures()) {
      sections.add(new Section(several ? measure.name() : "", ofMeasure(measure)));
    }
    sections.add(new Section(several ? "whole process" : "", ofProcess()));
    return sections;
  }

  private List<List<String>> ofMeasure(Measure measure) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row(measure.throughput(), ComparisonFigures::perSecond));
    if (comparison.measures().size() == 1
        && comparison.forecast().orElse(null) instanceof Forecast.Times times) {
      rows.add(List.of("  predicted", "", "", ComparisonFigures.range(times), ""));
    }
    measure
        .latencies()
        .forEach(figure -> rows.add(row(figure, nanos -> Figures.duration(Math.round(nanos)))));
    if (comparison.plan().source() instanceof Source.Http) {
      if (measure.latencies().isEmpty()) {
        rows.add(row("latency", side -> ComparisonFigures.UNKNOWN));
      }
      rows.add(row("errors", side -> requests(side, measure, Run.Requests::errors)));
      rows.add(row("unanswered", side -> requests(side, measure, Run.Requests::unanswered)));
    }
    return rows;
  }

  private List<List<String>> ofProcess() {
    List<List<String>> rows = new ArrayList<>();
    boolean recorded = comparison.plan().agent().isPresent();
    if (recorded) {
      rows.add(row("pins", side -> pins(side, pins -> Figures.count(pins.count()))));
      rows.add(row("carriers blocked", side -> pins(side, ComparisonTable::blocked)));
    }
    rows.add(
        row("peak platform threads", side -> peak(side, peak -> Figures.count(peak.threads()))));
    if (recorded) {
      rows.add(row("peak heap", this::heap));
    }
    rows.add(
        row("peak process memory", side -> peak(side, peak -> megabytes(peak.residentBytes()))));
    if (recorded) {
      rows.add(row("Java", side -> pins(side, pins -> java(pins.java()))));
    }
    return rows;
  }

  private static List<String> row(Figure figure, Function<Double, String> text) {
    Ratio ratio = figure.ratio();
    return List.of(
        figure.name(),
        text.apply(figure.before()),
        text.apply(figure.after()),
        ratio.estimate().isPresent()
            ? ComparisonFigures.digits(ratio.estimate().getAsDouble())
            : "-",
        ComparisonFigures.interval(ratio));
  }

  /** Returns a row of figures without a ratio. */
  private static List<String> row(String name, Function<Side, String> text) {
    return List.of(name, text.apply(Side.BEFORE), text.apply(Side.AFTER), "", "");
  }

  private String heap(Side side) {
    return comparison.peakHeapBytes(side).isPresent()
        ? megabytes(comparison.peakHeapBytes(side).getAsLong())
        : ComparisonFigures.UNKNOWN;
  }

  private static String megabytes(long bytes) {
    return Figures.count(bytes >> 20) + " MB";
  }

  private static String blocked(Run.Pins pins) {
    return pins.capacityNanos() > 0
        ? Figures.percent((double) pins.nanos() / pins.capacityNanos())
        : Figures.duration(pins.nanos());
  }

  private String requests(Side side, Measure measure, Function<Run.Requests, Long> number) {
    long sum = 0;
    long sent = 0;
    for (Run run : comparison.of(side)) {
      Run.Requests requests = run.measured(measure.name()).requests().orElseThrow();
      sum += number.apply(requests);
      sent += requests.sent();
    }
    return Figures.count(sum) + " of " + Figures.count(sent);
  }

  private String pins(Side side, Function<Run.Pins, String> text) {
    return comparison.pins(side).map(text).orElse(ComparisonFigures.UNKNOWN);
  }

  private String peak(Side side, Function<Peak, String> text) {
    return comparison.peak(side).map(text).orElse(ComparisonFigures.UNKNOWN);
  }

  private static String java(String version) {
    int build = version.indexOf('+');
    return version.isEmpty()
        ? ComparisonFigures.UNKNOWN
        : build < 0 ? version : version.substring(0, build);
  }
}
