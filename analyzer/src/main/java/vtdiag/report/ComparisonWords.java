package vtdiag.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import vtdiag.finding.Figures;
import vtdiag.measure.Comparison;
import vtdiag.measure.Comparison.Figure;
import vtdiag.measure.Load;
import vtdiag.measure.Peak;
import vtdiag.measure.Plan.Measure;
import vtdiag.measure.Ratio;
import vtdiag.measure.Run;
import vtdiag.measure.Side;

/** A comparison in words: the rows and sentences that text and Markdown share. */
final class ComparisonWords {
  private static final String NOT_KNOWN = "not known";

  /** One row of the table; without a ratio the last two are empty. */
  record Row(String name, String before, String after, String ratio, String interval) {}

  private ComparisonWords() {}

  static String verdict(Comparison comparison) {
    return switch (comparison.verdict()) {
      case FASTER -> "FASTER";
      case NO_DIFFERENCE -> "NO DIFFERENCE";
      case SLOWER -> "SLOWER";
      case NOT_ENOUGH_EVIDENCE -> "NOT ENOUGH EVIDENCE";
    };
  }

  /** What the verdict rests on. */
  static String reason(Comparison comparison) {
    Ratio ratio = comparison.decisive().ratio();
    return digits(ratio.estimate())
        + " times the "
        + comparison.decisive().name()
        + ", 95% interval "
        + interval(ratio)
        + " over "
        + Figures.count(comparison.plan().pairs(), "pair");
  }

  /** What to do where the figures do not suffice; empty where they do. */
  static Optional<String> hint(Comparison comparison) {
    return switch (comparison.verdict()) {
      case NOT_ENOUGH_EVIDENCE ->
          Optional.of(
              "The runs differ too much among themselves; take more --pairs or longer runs.");
      case FASTER, NO_DIFFERENCE, SLOWER -> Optional.empty();
    };
  }

  static String how(Comparison comparison) {
    return switch (comparison.plan().measure()) {
      case Measure.Http http ->
          http.uri()
              + ", "
              + load(http.load())
              + ", "
              + Figures.duration(http.durationNanos())
              + " a run after "
              + Figures.duration(http.warmUpNanos())
              + " of warm-up";
      case Measure.Printed printed -> "operations as the program prints them";
    };
  }

  private static String load(Load load) {
    return switch (load) {
      case Load.Closed closed -> "closed loop of " + Figures.count(closed.users(), "user");
      case Load.Open open -> "open loop of " + perSecond(open.perSecond());
    };
  }

  static List<Row> rows(Comparison comparison) {
    List<Row> rows = new ArrayList<>();
    // The prediction of `vtdiag advise` belongs here, beside the throughput's ratio.
    rows.add(row(comparison.throughput(), ComparisonWords::perSecond));
    comparison
        .latencies()
        .forEach(figure -> rows.add(row(figure, nanos -> Figures.duration(Math.round(nanos)))));
    if (!comparison.latencies().isEmpty()) {
      rows.add(row(comparison, "errors", runs -> requests(runs, Run.Requests::errors)));
      rows.add(row(comparison, "unanswered", runs -> requests(runs, Run.Requests::unanswered)));
    }
    if (comparison.plan().agent().isPresent()) {
      rows.add(pins(comparison, "pins", pins -> Figures.count(pins.count())));
      rows.add(pins(comparison, "carriers blocked", ComparisonWords::blocked));
    }
    rows.add(peak(comparison, "peak platform threads", peak -> Figures.count(peak.threads())));
    rows.add(
        peak(
            comparison,
            "peak memory of the process",
            peak -> Figures.count(peak.residentBytes() >> 20) + " MB"));
    if (comparison.plan().agent().isPresent()) {
      rows.add(pins(comparison, "Java", pins -> java(pins.java())));
    }
    return rows;
  }

  private static String blocked(Run.Pins pins) {
    return pins.capacityNanos() > 0
        ? Figures.percent((double) pins.nanos() / pins.capacityNanos())
        : Figures.duration(pins.nanos());
  }

  private static Row row(Figure figure, Function<Double, String> text) {
    return new Row(
        figure.name(),
        text.apply(figure.before()),
        text.apply(figure.after()),
        digits(figure.ratio().estimate()),
        interval(figure.ratio()));
  }

  private static Row row(Comparison comparison, String name, Function<List<Run>, String> text) {
    return new Row(
        name,
        text.apply(comparison.of(Side.BEFORE)),
        text.apply(comparison.of(Side.AFTER)),
        "",
        "");
  }

  private static String requests(List<Run> runs, Function<Run.Requests, Long> number) {
    long sum = 0;
    long sent = 0;
    for (Run run : runs) {
      Run.Requests requests = run.load().orElseThrow();
      sum += number.apply(requests);
      sent += requests.sent();
    }
    return Figures.count(sum) + " of " + Figures.count(sent);
  }

  private static Row pins(Comparison comparison, String name, Function<Run.Pins, String> text) {
    return new Row(
        name,
        comparison.pins(Side.BEFORE).map(text).orElse(NOT_KNOWN),
        comparison.pins(Side.AFTER).map(text).orElse(NOT_KNOWN),
        "",
        "");
  }

  private static Row peak(Comparison comparison, String name, Function<Peak, String> text) {
    return new Row(
        name,
        comparison.peak(Side.BEFORE).map(text).orElse(NOT_KNOWN),
        comparison.peak(Side.AFTER).map(text).orElse(NOT_KNOWN),
        "",
        "");
  }

  private static String java(String version) {
    int build = version.indexOf('+');
    return version.isEmpty() ? NOT_KNOWN : build < 0 ? version : version.substring(0, build);
  }

  /** Sentences below the table. */
  static List<String> notes(Comparison comparison) {
    List<String> notes = new ArrayList<>();
    hint(comparison).ifPresent(notes::add);
    comparison
        .ceiling()
        .ifPresent(
            ceiling ->
                notes.add(
                    "The load generator itself can send at least "
                        + perSecond(ceiling)
                        + " on this machine."));
    comparison.warnings().forEach(warning -> notes.add("Warning: " + warning + "."));
    return notes;
  }

  private static String interval(Ratio ratio) {
    return digits(ratio.low()) + " to " + digits(ratio.high());
  }

  private static String perSecond(double number) {
    return digits(number) + "/s";
  }

  /** Three digits that mean something. */
  private static String digits(double number) {
    return String.format(
        Locale.ROOT,
        number >= 100 ? "%,.0f" : number >= 10 ? "%.1f" : number >= 0.1 ? "%.2f" : "%.2g",
        number);
  }
}
