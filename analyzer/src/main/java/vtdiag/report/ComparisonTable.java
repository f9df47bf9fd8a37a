package vtdiag.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import vtdiag.compare.Comparison;
import vtdiag.compare.Comparison.Figure;
import vtdiag.compare.Comparison.Measure;
import vtdiag.compare.Forecast;
import vtdiag.compare.Peak;
import vtdiag.compare.Plan.Source;
import vtdiag.compare.Ratio;
import vtdiag.compare.Run;
import vtdiag.compare.Side;
import vtdiag.model.Figures;

/** The table of a comparison, which text and Markdown share. */
final class ComparisonTable {
  /** One row of the table; without a ratio the last two are empty. */
  record Row(String name, String before, String after, String ratio, String interval) {}

  /** Rows that belong together; without a title if there is nothing to tell them from. */
  record Section(String title, List<Row> rows) {}

  private ComparisonTable() {}

  static List<Section> sections(Comparison comparison) {
    boolean several = comparison.measures().size() > 1;
    List<Section> sections = new ArrayList<>();
    for (int i = 0; i < comparison.measures().size(); i++) {
      Measure measure = comparison.measures().get(i);
      sections.add(new Section(several ? measure.name() : "", rows(comparison, measure, i)));
    }
    sections.add(new Section(several ? "the whole process" : "", rows(comparison)));
    return sections;
  }

  private static List<Row> rows(Comparison comparison, Measure measure, int index) {
    List<Row> rows = new ArrayList<>();
    rows.add(row(measure.throughput(), ComparisonFigures::perSecond));
    if (comparison.measures().size() == 1
        && comparison.forecast().orElse(null) instanceof Forecast.Times times) {
      rows.add(new Row("  as predicted", "", "", ComparisonFigures.range(times), ""));
    }
    measure
        .latencies()
        .forEach(figure -> rows.add(row(figure, nanos -> Figures.duration(Math.round(nanos)))));
    if (comparison.plan().source() instanceof Source.Http) {
      if (measure.latencies().isEmpty()) {
        rows.add(
            new Row("latency", ComparisonFigures.NOT_KNOWN, ComparisonFigures.NOT_KNOWN, "", ""));
      }
      rows.add(row(comparison, "errors", runs -> requests(runs, index, Run.Requests::errors)));
      rows.add(
          row(comparison, "unanswered", runs -> requests(runs, index, Run.Requests::unanswered)));
    }
    return rows;
  }

  private static List<Row> rows(Comparison comparison) {
    List<Row> rows = new ArrayList<>();
    boolean recorded = comparison.plan().agent().isPresent();
    if (recorded) {
      rows.add(pins(comparison, "pins", pins -> Figures.count(pins.count())));
      rows.add(pins(comparison, "carriers blocked", ComparisonTable::blocked));
    }
    rows.add(peak(comparison, "peak platform threads", peak -> Figures.count(peak.threads())));
    if (recorded) {
      rows.add(
          new Row(
              "peak heap", heap(comparison, Side.BEFORE), heap(comparison, Side.AFTER), "", ""));
    }
    rows.add(
        peak(comparison, "peak memory of the process", peak -> megabytes(peak.residentBytes())));
    if (recorded) {
      rows.add(pins(comparison, "Java", pins -> java(pins.java())));
    }
    return rows;
  }

  private static String heap(Comparison comparison, Side side) {
    return comparison.peakHeapBytes(side).isPresent()
        ? megabytes(comparison.peakHeapBytes(side).getAsLong())
        : ComparisonFigures.NOT_KNOWN;
  }

  private static String megabytes(long bytes) {
    return Figures.count(bytes >> 20) + " MB";
  }

  private static String blocked(Run.Pins pins) {
    return pins.capacityNanos() > 0
        ? Figures.percent((double) pins.nanos() / pins.capacityNanos())
        : Figures.duration(pins.nanos());
  }

  private static Row row(Figure figure, Function<Double, String> text) {
    Ratio ratio = figure.ratio();
    return new Row(
        figure.name(),
        text.apply(figure.before()),
        text.apply(figure.after()),
        ratio.estimate().isPresent()
            ? ComparisonFigures.digits(ratio.estimate().getAsDouble())
            : "-",
        ComparisonFigures.interval(ratio));
  }

  private static Row row(Comparison comparison, String name, Function<List<Run>, String> text) {
    return new Row(
        name,
        text.apply(comparison.of(Side.BEFORE)),
        text.apply(comparison.of(Side.AFTER)),
        "",
        "");
  }

  private static String requests(List<Run> runs, int index, Function<Run.Requests, Long> number) {
    long sum = 0;
    long sent = 0;
    for (Run run : runs) {
      Run.Requests requests = run.measured().get(index).requests().orElseThrow();
      sum += number.apply(requests);
      sent += requests.sent();
    }
    return Figures.count(sum) + " of " + Figures.count(sent);
  }

  private static Row pins(Comparison comparison, String name, Function<Run.Pins, String> text) {
    return new Row(
        name,
        comparison.pins(Side.BEFORE).map(text).orElse(ComparisonFigures.NOT_KNOWN),
        comparison.pins(Side.AFTER).map(text).orElse(ComparisonFigures.NOT_KNOWN),
        "",
        "");
  }

  private static Row peak(Comparison comparison, String name, Function<Peak, String> text) {
    return new Row(
        name,
        comparison.peak(Side.BEFORE).map(text).orElse(ComparisonFigures.NOT_KNOWN),
        comparison.peak(Side.AFTER).map(text).orElse(ComparisonFigures.NOT_KNOWN),
        "",
        "");
  }

  private static String java(String version) {
    int build = version.indexOf('+');
    return version.isEmpty()
        ? ComparisonFigures.NOT_KNOWN
        : build < 0 ? version : version.substring(0, build);
  }
}
