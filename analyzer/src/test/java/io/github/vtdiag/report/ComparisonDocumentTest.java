package io.github.vtdiag.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.compare.Comparison.Figure;
import io.github.vtdiag.compare.Comparison.Measure;
import io.github.vtdiag.compare.Forecast;
import io.github.vtdiag.compare.JavaCommand;
import io.github.vtdiag.compare.Peak;
import io.github.vtdiag.compare.Plan;
import io.github.vtdiag.compare.Rate;
import io.github.vtdiag.compare.Ratio;
import io.github.vtdiag.compare.Run;
import io.github.vtdiag.compare.Side;
import io.github.vtdiag.compare.SpeedVerdict;
import io.github.vtdiag.report.format.Formats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ComparisonDocumentTest {
  private static final double NO_END = Double.POSITIVE_INFINITY;

  private static Run run(Side side, int threads) {
    return new Run(
        side,
        List.of(),
        Optional.empty(),
        Optional.of(new Peak(threads, 64 << 20)),
        side == Side.AFTER ? OptionalLong.of(12 << 20) : OptionalLong.empty());
  }

  private static Plan plan(Optional<Plan.Agent> agent, Measure... measures) {
    JavaCommand command = new JavaCommand("java", List.of(), List.of("Main"));
    return new Plan(
        command,
        command,
        List.of("--jdk-after /opt/jdk-25"),
        new Plan.Source.Printed(
            List.of(measures).stream()
                .map(one -> new Plan.Source.Printed.Told(one.name(), Optional.empty()))
                .toList(),
            1),
        2,
        0,
        agent);
  }

  private static Comparison comparison(Plan plan, Optional<Forecast> forecast, Measure... all) {
    return new Comparison(
        plan,
        List.of(run(Side.BEFORE, 20), run(Side.AFTER, 1_021)),
        List.of(all),
        forecast,
        OptionalDouble.empty(),
        List.of());
  }

  private static Measure measure(String name, double before, double after, SpeedVerdict verdict) {
    return measure(
        name, before, after, new Ratio(OptionalDouble.of(after / before), 0.9, 1.2), verdict);
  }

  private static Measure measure(
      String name, double before, double after, Ratio ratio, SpeedVerdict verdict) {
    Figure throughput = new Figure("throughput", before, after, ratio);
    return new Measure(name, throughput, List.of(), throughput, verdict);
  }

  /** A comparison in which every text of the user or the program is this one. */
  static Report named(String name) {
    Measure[] both = {
      measure(name, 1, 2, SpeedVerdict.FASTER),
      measure("other", 0, 0, new Ratio(OptionalDouble.empty(), 0, NO_END), SpeedVerdict.SLOWER)
    };
    Plan plan = plan(Optional.of(new Plan.Agent(Path.of("vtdiag.jar"), Optional.empty())), both);
    Plan named =
        new Plan(
            plan.before(),
            plan.after(),
            List.of("--what-if " + name),
            plan.source(),
            plan.pairs(),
            plan.coolDownNanos(),
            plan.agent());
    List<Run> runs = new ArrayList<>();
    for (Side side : Side.values()) {
      runs.add(
          new Run(
              side,
              List.of(
                  new Run.Measured(name, new Rate(1, 1), Optional.empty()),
                  new Run.Measured("other", new Rate(1, 1), Optional.empty())),
              Optional.of(new Run.Pins(name, 1, 1, 1)),
              Optional.empty(),
              OptionalLong.empty()));
    }
    return new Report.Compared(
        new Comparison(
            named,
            runs,
            List.of(both),
            Optional.of(new Forecast.Times(name, name, 1, 2, name)),
            OptionalDouble.empty(),
            List.of(name)));
  }

  private static String overall(SpeedVerdict... verdicts) {
    List<Measure> measures = new ArrayList<>();
    for (SpeedVerdict verdict : verdicts) {
      measures.add(measure("m" + measures.size(), 1, 1, verdict));
    }
    Measure[] all = measures.toArray(Measure[]::new);
    return text(comparison(plan(Optional.empty(), all), Optional.empty(), all))
        .lines()
        .skip(verdicts.length)
        .findFirst()
        .orElseThrow();
  }

  private static String text(Comparison comparison) {
    return Formats.TEXT.write(new Report.Compared(comparison), Style.PLAIN);
  }

  private static String markdown(Comparison comparison) {
    return Formats.MARKDOWN.write(new Report.Compared(comparison), Style.PLAIN);
  }

  private static void assertNoOddNumber(String report) {
    assertFalse(report.contains("NaN") || report.contains("Infinity"), report);
  }

  @Test
  void noneOnASideIsSaidAndNotDividedBy() {
    Measure[] all = {
      measure(
          "starved",
          0,
          19_596,
          new Ratio(OptionalDouble.empty(), 97_980, NO_END),
          SpeedVerdict.FASTER),
      measure(
          "stopped", 94.13, 0, new Ratio(OptionalDouble.empty(), 0, 0.0021), SpeedVerdict.SLOWER),
      measure(
          "dead",
          0,
          0,
          new Ratio(OptionalDouble.empty(), 0, NO_END),
          SpeedVerdict.NOT_ENOUGH_EVIDENCE)
    };
    Comparison comparison = comparison(plan(Optional.empty(), all), Optional.empty(), all);
    String text = text(comparison);
    assertEquals(
        """
        FASTER               starved: none before, 19,596/s after; at least 97,980 times the throughput (95%) over 2 pairs
        SLOWER               stopped: 94.1/s before, none after; at most 0.0021 times the throughput (95%) over 2 pairs
        NOT ENOUGH EVIDENCE  dead: none before, none after over 2 pairs
          In short: starved is faster, stopped is slower, dead is undecided.
          change: --jdk-after /opt/jdk-25
          measured: operations printed by the program

                                   before     after  after/before  95% interval
          starved
            throughput                0/s  19,596/s             -  97,980 or more
          stopped
            throughput             94.1/s       0/s             -  0.0021 or less
          dead
            throughput                0/s       0/s             -  unknown
          whole process
            peak platform threads      20     1,021
            peak process memory     64 MB     64 MB

          Too few operations of dead completed in the measured time; use longer runs or more --pairs.
        """,
        text);
    assertNoOddNumber(markdown(comparison));
  }

  @Test
  void theVerdictsTogetherAreOneSentence() {
    assertEquals(
        "  In short: m1 is faster, m0 is unchanged.",
        overall(SpeedVerdict.NO_DIFFERENCE, SpeedVerdict.FASTER));
    assertEquals(
        "  In short: m0 and m1 are unchanged.",
        overall(SpeedVerdict.NO_DIFFERENCE, SpeedVerdict.NO_DIFFERENCE));
    assertEquals(
        "  In short: m0, m2 and m3 are slower, m1 is undecided.",
        overall(
            SpeedVerdict.SLOWER,
            SpeedVerdict.NOT_ENOUGH_EVIDENCE,
            SpeedVerdict.SLOWER,
            SpeedVerdict.SLOWER));
  }

  @Test
  void theVerdictComesFirstAndWhatToDoLast() {
    Measure measure =
        measure(
            "operations",
            94.13,
            14_700,
            new Ratio(OptionalDouble.of(156.2), 0.94, 25_900),
            SpeedVerdict.NOT_ENOUGH_EVIDENCE);
    Comparison comparison =
        new Comparison(
            plan(Optional.empty(), measure),
            List.of(run(Side.BEFORE, 20), run(Side.AFTER, 1_021)),
            List.of(measure),
            Optional.empty(),
            OptionalDouble.empty(),
            List.of("the moon is full"));
    assertEquals(
        """
        NOT ENOUGH EVIDENCE  156 times the throughput, 95% interval 0.94 to 25,900 over 2 pairs
          change: --jdk-after /opt/jdk-25
          measured: operations printed by the program

                                 before     after  after/before  95% interval
          throughput             94.1/s  14,700/s           156  0.94 to 25,900
          peak platform threads      20     1,021
          peak process memory     64 MB     64 MB

          The runs vary too much; use more --pairs or longer runs.
          Warning: the moon is full.
        """,
        text(comparison));
  }

  @Test
  void thePredictionStandsBesideTheRatio() {
    Measure measure =
        measure("all", 100, 2_000, new Ratio(OptionalDouble.of(20), 18, 22), SpeedVerdict.FASTER);
    Forecast times = new Forecast.Times("Db.query", "if it goes", 12.3, 41.2, "as now");
    Plan.Agent agent = new Plan.Agent(Path.of("vtdiag.jar"), Optional.empty());
    String text = text(comparison(plan(Optional.of(agent), measure), Optional.of(times), measure));
    assertTrue(text.contains("  throughput               100/s  2,000/s          20.0  18"), text);
    assertTrue(text.contains("    predicted                                  12 to 41\n"), text);
    assertTrue(text.contains("  peak heap              unknown    12 MB\n"), text);
    assertTrue(
        text.endsWith(
            "  Predicted from the runs without the change: 12 to 41 times the throughput for"
                + " Db.query if it goes (model: as now). The measured interval overlaps the"
                + " prediction.\n"),
        text);
  }

  @Test
  void ofSeveralMeasuresItIsNotKnownWhichIsPredicted() {
    Measure[] all = {
      measure("slow", 9, 1, new Ratio(OptionalDouble.of(0.1), 0.1, 0.2), SpeedVerdict.SLOWER),
      measure("same", 1, 1, SpeedVerdict.NO_DIFFERENCE),
      measure("fast", 1, 9, new Ratio(OptionalDouble.of(9), 8, 10), SpeedVerdict.FASTER)
    };
    Forecast times = new Forecast.Times("Db.query", "on Java 24", 1, 1.04, "one lock");
    String text = text(comparison(plan(Optional.empty(), all), Optional.of(times), all));
    assertFalse(text.contains("  predicted"), text);
    assertTrue(
        text.endsWith(
            "unchanged throughput for Db.query on Java 24 (model: one lock). The measured interval"
                + " of slow is below the prediction. The measured interval of same overlaps the"
                + " prediction. The measured interval of fast is above the prediction.\n"),
        text);
  }

  @Test
  void noPredictionHasItsReason() {
    Measure measure = measure("all", 1, 1, SpeedVerdict.NO_DIFFERENCE);
    String text =
        markdown(
            comparison(
                plan(Optional.empty(), measure),
                Optional.of(new Forecast.None("nothing was pinned")),
                measure));
    assertTrue(text.endsWith("- No prediction: nothing was pinned.\n"), text);
  }

  @Test
  void whereMonitorsDoNotPinTheWhatIfHadNothingToGain() {
    Measure measure = measure("all", 1, 1, SpeedVerdict.NO_DIFFERENCE);
    Plan.Agent agent = new Plan.Agent(Path.of("vtdiag.jar"), Optional.of("auto"));
    Run run =
        new Run(
            Side.BEFORE,
            List.of(new Run.Measured("all", new Rate(1, 1), Optional.empty())),
            Optional.of(new Run.Pins("25.0.3+9", 0, 0, 1)),
            Optional.empty(),
            OptionalLong.empty());
    Run other =
        new Run(Side.AFTER, run.measured(), run.pins(), Optional.empty(), OptionalLong.empty());
    String text =
        text(
            new Comparison(
                plan(Optional.of(agent), measure),
                List.of(run, other),
                List.of(measure),
                Optional.empty(),
                OptionalDouble.empty(),
                List.of()));
    assertTrue(
        text.endsWith(
            "  Monitors do not pin on this Java version (JEP 491), so the what-if had no pins to"
                + " remove. On Java 21 to 23 it may make a difference.\n"),
        text);
  }
}
