package vtdiag.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import vtdiag.compare.Comparison;
import vtdiag.compare.Comparison.Figure;
import vtdiag.compare.Comparison.Measure;
import vtdiag.compare.Forecast;
import vtdiag.compare.Load;
import vtdiag.compare.Peak;
import vtdiag.compare.Plan.Source;
import vtdiag.compare.Ratio;
import vtdiag.compare.Run;
import vtdiag.compare.Side;
import vtdiag.compare.Verdict;
import vtdiag.model.Figures;

/** A comparison in words: the rows and sentences that text and Markdown share. */
final class ComparisonWords {
  private static final String NOT_KNOWN = "not known";

  /** One row of the table; without a ratio the last two are empty. */
  record Row(String name, String before, String after, String ratio, String interval) {}

  /** Rows that belong together; without a title if there is nothing to tell them from. */
  record Block(String title, List<Row> rows) {}

  private ComparisonWords() {}

  static String verdict(Verdict verdict) {
    return switch (verdict) {
      case FASTER -> "FASTER";
      case NO_DIFFERENCE -> "NO DIFFERENCE";
      case SLOWER -> "SLOWER";
      case NOT_ENOUGH_EVIDENCE -> "NOT ENOUGH EVIDENCE";
    };
  }

  /** What the verdict rests on, after the measure's name if there are several. */
  static String reason(Comparison comparison, Measure measure) {
    String name = comparison.measures().size() > 1 ? measure.name() + ": " : "";
    String pairs = " over " + Figures.count(comparison.plan().pairs(), "pair");
    Figure figure = measure.decisive();
    Ratio ratio = figure.ratio();
    return name
        + (ratio.estimate().isPresent()
            ? digits(ratio.estimate().getAsDouble())
                + " times the "
                + figure.name()
                + ", 95% interval "
                + interval(ratio)
            : none(figure))
        + pairs;
  }

  /** Where there was none in a run, which has no ratio but a bound. */
  private static String none(Figure figure) {
    Ratio ratio = figure.ratio();
    String sides = orNone(figure.before()) + " before, " + orNone(figure.after()) + " after";
    if (ratio.low() > 0) {
      return sides + "; at least " + digits(ratio.low()) + " times the " + figure.name() + " (95%)";
    }
    return Double.isFinite(ratio.high())
        ? sides + "; at most " + digits(ratio.high()) + " times the " + figure.name() + " (95%)"
        : sides;
  }

  private static String orNone(double perSecond) {
    return perSecond == 0 ? "none" : perSecond(perSecond);
  }

  /** What came out of several measures together; empty if there is one. */
  static Optional<String> overall(Comparison comparison) {
    if (comparison.measures().size() == 1) {
      return Optional.empty();
    }
    Map<Verdict, List<String>> names = new EnumMap<>(Verdict.class);
    for (Measure measure : comparison.measures()) {
      names.computeIfAbsent(measure.verdict(), verdict -> new ArrayList<>()).add(measure.name());
    }
    return Optional.of(
        names.entrySet().stream()
            .map(entry -> and(entry.getValue()) + " " + shortly(entry.getKey()))
            .collect(Collectors.joining(", ", "In short: ", ".")));
  }

  private static String shortly(Verdict verdict) {
    return switch (verdict) {
      case FASTER -> "faster";
      case NO_DIFFERENCE -> "unchanged";
      case SLOWER -> "slower";
      case NOT_ENOUGH_EVIDENCE -> "not decided";
    };
  }

  private static String and(List<String> names) {
    int last = names.size() - 1;
    return last == 0
        ? names.getFirst()
        : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
  }

  static String how(Comparison comparison) {
    return switch (comparison.plan().source()) {
      case Source.Http http ->
          named(http.targets(), Source.Http.Target::name, target -> target.uri().toString())
              + ", "
              + load(http.load())
              + (http.targets().size() > 1 ? " each, " : ", ")
              + time(http.durationNanos(), http.warmUpNanos());
      case Source.Printed printed -> "operations as the program prints them";
      case Source.Counted counted ->
          "completed calls of "
              + named(counted.methods(), Source.Counted.Method::name, Source.Counted.Method::method)
              + ", "
              + time(counted.durationNanos(), counted.warmUpNanos());
    };
  }

  /** Several are told with their names, unless those say the same. */
  private static <T> String named(
      List<T> all, Function<T, String> name, Function<T, String> target) {
    return all.stream()
        .map(
            one ->
                all.size() == 1 || name.apply(one).equals(target.apply(one))
                    ? target.apply(one)
                    : name.apply(one) + " = " + target.apply(one))
        .collect(Collectors.joining(", "));
  }

  private static String time(long duration, long warmUp) {
    return Figures.duration(duration) + " a run after " + Figures.duration(warmUp) + " of warm-up";
  }

  private static String load(Load load) {
    return switch (load) {
      case Load.Closed closed -> "closed loop of " + Figures.count(closed.users(), "user");
      case Load.Open open -> "open loop of " + perSecond(open.perSecond());
    };
  }

  static List<Block> blocks(Comparison comparison) {
    boolean several = comparison.measures().size() > 1;
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < comparison.measures().size(); i++) {
      Measure measure = comparison.measures().get(i);
      blocks.add(new Block(several ? measure.name() : "", rows(comparison, measure, i)));
    }
    blocks.add(new Block(several ? "the whole process" : "", rows(comparison)));
    return blocks;
  }

  private static List<Row> rows(Comparison comparison, Measure measure, int index) {
    List<Row> rows = new ArrayList<>();
    rows.add(row(measure.throughput(), ComparisonWords::perSecond));
    if (comparison.measures().size() == 1
        && comparison.forecast().orElse(null) instanceof Forecast.Times times) {
      rows.add(new Row("  as predicted", "", "", range(times), ""));
    }
    measure
        .latencies()
        .forEach(figure -> rows.add(row(figure, nanos -> Figures.duration(Math.round(nanos)))));
    if (comparison.plan().source() instanceof Source.Http) {
      if (measure.latencies().isEmpty()) {
        rows.add(new Row("latency", NOT_KNOWN, NOT_KNOWN, "", ""));
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
      rows.add(pins(comparison, "carriers blocked", ComparisonWords::blocked));
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
        : NOT_KNOWN;
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
        ratio.estimate().isPresent() ? digits(ratio.estimate().getAsDouble()) : "-",
        interval(ratio));
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
    if (comparison.isWhatIfWithoutPins()) {
      notes.add(
          "On this Java monitors do not pin (JEP 491), so the what-if had nothing to gain here.");
    }
    comparison.forecast().ifPresent(forecast -> notes.add(prediction(forecast, comparison)));
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

  /** What to do where the figures do not suffice; empty where they do. */
  private static Optional<String> hint(Comparison comparison) {
    List<Measure> open =
        comparison.measures().stream()
            .filter(measure -> measure.verdict() == Verdict.NOT_ENOUGH_EVIDENCE)
            .toList();
    if (open.isEmpty()) {
      return Optional.empty();
    }
    String which =
        comparison.measures().size() > 1
            ? " of " + and(open.stream().map(Measure::name).toList())
            : "";
    boolean none =
        open.stream().allMatch(measure -> measure.decisive().ratio().estimate().isEmpty());
    return Optional.of(
        none
            ? "Too little"
                + which
                + " was done in the measured time; take longer runs, or more --pairs."
            : "The runs"
                + which
                + " differ too much among themselves; take more --pairs or longer runs.");
  }

  private static String prediction(Forecast forecast, Comparison comparison) {
    return switch (forecast) {
      case Forecast.Times times ->
          "vtdiag advise predicts, from the runs as they are, "
              + timesNow(times)
              + " for "
              + times.place()
              + " "
              + times.change()
              + " (a model: "
              + times.assumption()
              + "). "
              + IntStream.range(0, comparison.measures().size())
                  .mapToObj(comparison.measures()::get)
                  .map(measure -> held(times, measure, comparison.measures().size() > 1))
                  .collect(Collectors.joining(" "));
      case Forecast.None none -> "No prediction by vtdiag advise: " + none.why() + ".";
    };
  }

  /** How what was measured stands to the prediction, which is never fitted to it. */
  private static String held(Forecast.Times times, Measure measure, boolean several) {
    Ratio ratio = measure.throughput().ratio();
    return "The measured interval"
        + (several ? " of " + measure.name() : "")
        + (times.isAbove(ratio)
            ? " lies below that."
            : times.isBelow(ratio) ? " lies above that." : " overlaps that.");
  }

  private static String timesNow(Forecast.Times times) {
    return times.most() <= 1.1
        ? "no more throughput than now"
        : range(times) + " times the throughput";
  }

  private static String range(Forecast.Times times) {
    String least = twoDigits(times.least());
    String most = twoDigits(times.most());
    return least.equals(most) ? "about " + most : least + " to " + most;
  }

  /** Two digits: a prediction has no more. */
  private static String twoDigits(double number) {
    if (number < 10) {
      return String.format(Locale.ROOT, "%.1f", number);
    }
    double unit = Math.pow(10, Math.floor(Math.log10(number)) - 1);
    return Figures.count(Math.round(number / unit) * Math.round(unit));
  }

  private static String interval(Ratio ratio) {
    if (Double.isInfinite(ratio.high())) {
      return ratio.low() > 0 ? digits(ratio.low()) + " or more" : NOT_KNOWN;
    }
    return ratio.low() > 0
        ? digits(ratio.low()) + " to " + digits(ratio.high())
        : digits(ratio.high()) + " or less";
  }

  private static String perSecond(double number) {
    return (number == 0 ? "0" : digits(number)) + "/s";
  }

  /** Three digits that mean something. */
  private static String digits(double number) {
    return String.format(
        Locale.ROOT,
        number >= 100 ? "%,.0f" : number >= 10 ? "%.1f" : number >= 0.1 ? "%.2f" : "%.2g",
        number);
  }
}
