package io.github.vtdiag.report.words;

import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.compare.Comparison.Figure;
import io.github.vtdiag.compare.Comparison.Measure;
import io.github.vtdiag.compare.Forecast;
import io.github.vtdiag.compare.Load;
import io.github.vtdiag.compare.Plan.Source;
import io.github.vtdiag.compare.Ratio;
import io.github.vtdiag.compare.SpeedVerdict;
import io.github.vtdiag.model.Figures;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A comparison in words: the sentences that text and Markdown share. */
public final class ComparisonWords {
  private ComparisonWords() {}

  public static String verdict(SpeedVerdict verdict) {
    return switch (verdict) {
      case FASTER -> "FASTER";
      case NO_DIFFERENCE -> "NO DIFFERENCE";
      case SLOWER -> "SLOWER";
      case NOT_ENOUGH_EVIDENCE -> "NOT ENOUGH EVIDENCE";
    };
  }

  /** Returns the basis of the verdict; with several measures, the name comes first. */
  public static String reason(Comparison comparison, Measure measure) {
    String name = comparison.measures().size() > 1 ? measure.name() + ": " : "";
    String pairs = " over " + Figures.count(comparison.plan().pairs(), "pair");
    Figure figure = measure.decisive();
    Ratio ratio = figure.ratio();
    return name
        + (ratio.estimate().isPresent()
            ? ComparisonFigures.digits(ratio.estimate().getAsDouble())
                + " times the "
                + figure.name()
                + ", 95% interval "
                + ComparisonFigures.interval(ratio)
            : none(figure))
        + pairs;
  }

  /** Returns the text for a run without any operation, which has a bound instead of a ratio. */
  private static String none(Figure figure) {
    Ratio ratio = figure.ratio();
    String sides = orNone(figure.before()) + " before, " + orNone(figure.after()) + " after";
    if (ratio.low() > 0) {
      return sides
          + "; at least "
          + ComparisonFigures.digits(ratio.low())
          + " times the "
          + figure.name()
          + " (95%)";
    }
    return Double.isFinite(ratio.high())
        ? sides
            + "; at most "
            + ComparisonFigures.digits(ratio.high())
            + " times the "
            + figure.name()
            + " (95%)"
        : sides;
  }

  private static String orNone(double perSecond) {
    return perSecond == 0 ? "none" : ComparisonFigures.perSecond(perSecond);
  }

  /** Returns the summary of several measures; empty if there is only one. */
  public static Optional<String> overall(Comparison comparison) {
    if (comparison.measures().size() == 1) {
      return Optional.empty();
    }
    Map<SpeedVerdict, List<String>> names = new EnumMap<>(SpeedVerdict.class);
    for (Measure measure : comparison.measures()) {
      names.computeIfAbsent(measure.verdict(), verdict -> new ArrayList<>()).add(measure.name());
    }
    return Optional.of(
        names.entrySet().stream()
            .map(
                entry ->
                    and(entry.getValue())
                        + (entry.getValue().size() == 1 ? " is " : " are ")
                        + shortly(entry.getKey()))
            .collect(Collectors.joining(", ", "In short: ", ".")));
  }

  private static String shortly(SpeedVerdict verdict) {
    return switch (verdict) {
      case FASTER -> "faster";
      case NO_DIFFERENCE -> "unchanged";
      case SLOWER -> "slower";
      case NOT_ENOUGH_EVIDENCE -> "undecided";
    };
  }

  private static String and(List<String> names) {
    int last = names.size() - 1;
    return last == 0
        ? names.getFirst()
        : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
  }

  public static String how(Comparison comparison) {
    return switch (comparison.plan().source()) {
      case Source.Http http ->
          named(http.targets(), Source.Http.Target::name, target -> target.uri().toString())
              + ", "
              + load(http.load())
              + (http.targets().size() > 1 ? " each, " : ", ")
              + time(http.durationNanos(), http.warmUpNanos());
      case Source.Printed printed -> "operations printed by the program";
      case Source.Counted counted ->
          "completed calls of "
              + named(counted.methods(), Source.Counted.Method::name, Source.Counted.Method::method)
              + ", "
              + time(counted.durationNanos(), counted.warmUpNanos());
    };
  }

  /** Returns a list in which several have their names, unless a name says the same. */
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
    return Figures.duration(duration) + " per run after a warm-up of " + Figures.duration(warmUp);
  }

  private static String load(Load load) {
    return switch (load) {
      case Load.Closed closed -> "closed loop with " + Figures.count(closed.users(), "user");
      case Load.Open open -> "open loop at " + ComparisonFigures.perSecond(open.perSecond());
    };
  }

  /** Returns the sentences below the table. */
  public static List<String> notes(Comparison comparison) {
    List<String> notes = new ArrayList<>();
    hint(comparison).ifPresent(notes::add);
    if (comparison.isWhatIfWithoutPins()) {
      notes.add(
          "Monitors do not pin on this Java version (JEP 491), so the what-if had no pins to"
              + " remove. On Java 21 to 23 it may make a difference.");
    }
    comparison.forecast().ifPresent(forecast -> notes.add(prediction(forecast, comparison)));
    comparison
        .ceiling()
        .ifPresent(
            ceiling ->
                notes.add(
                    "The load generator alone reaches at least "
                        + ComparisonFigures.perSecond(ceiling)
                        + " on this machine."));
    comparison.warnings().forEach(warning -> notes.add("Warning: " + warning + "."));
    return notes;
  }

  /** Returns what to do if the evidence does not suffice; empty if it does. */
  private static Optional<String> hint(Comparison comparison) {
    List<Measure> open =
        comparison.measures().stream()
            .filter(measure -> measure.verdict() == SpeedVerdict.NOT_ENOUGH_EVIDENCE)
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
            ? "Too few operations"
                + which
                + " completed in the measured time; use longer runs or more --pairs."
            : "The runs" + which + " vary too much; use more --pairs or longer runs.");
  }

  private static String prediction(Forecast forecast, Comparison comparison) {
    return switch (forecast) {
      case Forecast.Times times ->
          "Predicted from the runs without the change: "
              + timesNow(times)
              + " for "
              + times.place()
              + " "
              + times.change()
              + " (model: "
              + times.assumption()
              + "). "
              + IntStream.range(0, comparison.measures().size())
                  .mapToObj(comparison.measures()::get)
                  .map(measure -> held(times, measure, comparison.measures().size() > 1))
                  .collect(Collectors.joining(" "));
      case Forecast.None none -> "No prediction: " + none.why() + ".";
    };
  }

  /** Returns how the measurement compares to the prediction, which is never fitted to it. */
  private static String held(Forecast.Times times, Measure measure, boolean several) {
    Ratio ratio = measure.throughput().ratio();
    return "The measured interval"
        + (several ? " of " + measure.name() : "")
        + (times.isAbove(ratio)
            ? " is below the prediction."
            : times.isBelow(ratio) ? " is above the prediction." : " overlaps the prediction.");
  }

  private static String timesNow(Forecast.Times times) {
    return times.most() <= 1.1
        ? "unchanged throughput"
        : ComparisonFigures.range(times) + " times the throughput";
  }
}
