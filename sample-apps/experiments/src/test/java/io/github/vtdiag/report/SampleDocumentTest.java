package io.github.vtdiag.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.compare.SpeedVerdict;
import io.github.vtdiag.experiment.Machine;
import io.github.vtdiag.experiment.Outcome;
import io.github.vtdiag.experiment.Outcome.Figure;
import io.github.vtdiag.experiment.Outcome.Row;
import io.github.vtdiag.experiment.Outcome.Table;
import io.github.vtdiag.experiment.Outcome.Unit;
import io.github.vtdiag.experiment.Outcome.Versus;
import io.github.vtdiag.experiment.Sleepers;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.format.SampleFormats;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SampleDocumentTest {
  private static final Table PUBLISHED =
      new Table(
          "10 tasks",
          List.of(
              new Row("virtual", List.of(Figure.of("average", Unit.MILLIS, 311.4, 437))),
              new Row(
                  "pool",
                  List.of(
                      Figure.of("average", Unit.MILLIS, 15_016, 15_549),
                      Figure.of("share", Unit.PERCENT, 0.037)))));

  private static String text(List<Table> tables, List<Versus> versus, List<String> problems) {
    Machine machine =
        new Machine(2, "", OptionalLong.empty(), "Linux", "21.0.8", LocalDate.of(2026, 11, 22));
    Outcome outcome = new Outcome(tables, versus, List.of(), List.of(), List.of(), problems);
    return SampleFormats.write(
        new Sampled(new Sleepers(), false, machine, outcome, List.of(), List.of()),
        Formats.TEXT,
        Style.PLAIN);
  }

  @Test
  void whatCameOutWrongComesFirst() {
    String text =
        text(List.of(PUBLISHED), List.of(), List.of("pool: 9 of 10 tasks came out right"));
    assertTrue(text.startsWith("WRONG  pool: 9 of 10 tasks came out right\n"), text);
    assertFalse(text(List.of(PUBLISHED), List.of(), List.of()).contains("WRONG"));
  }

  @Test
  void publishedFiguresStandBesideOurs() {
    String text = text(List.of(PUBLISHED), List.of(), List.of());
    assertTrue(text.contains("published: 20 hardware threads, JDK 21\n"), text);
    assertEquals(
        """
          10 tasks

                     average  published  share
          virtual     311 ms     437 ms
          pool     15,016 ms  15,549 ms   3.7%
        """
            .stripTrailing(),
        text.substring(text.indexOf("  10 tasks")).stripTrailing());
  }

  @Test
  void whereNothingIsPublishedNoColumnPretendsSo() {
    Table own =
        new Table("", List.of(new Row("virtual", List.of(Figure.of("all", Unit.COUNT, 3)))));
    assertFalse(text(List.of(own), List.of(), List.of()).contains("published"));
  }

  @Test
  void aPairThatTellsNothingIsNoSuccess() {
    Comparison.Figure figure =
        Comparison.Figure.of("throughput", new double[] {1, 10}, new double[] {10, 1});
    SpeedVerdict verdict = SpeedVerdict.of(figure.ratio());
    String text =
        text(
            List.of(PUBLISHED),
            List.of(new Versus("others", "monitor", "lock", figure, verdict, 2)),
            List.of());
    assertTrue(
        text.contains(
            "NOT ENOUGH EVIDENCE  others: 1.00 times as many a second with lock as with monitor"),
        text);
  }
}
