package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.compare.SpeedVerdict;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What an experiment brought.
 *
 * @param tables the article's figures beside ours
 * @param versus each variant that pins beside the one that does not
 * @param diagnoses recordings to look at
 * @param notes what to know besides, one sentence each
 * @param problems what did not come out right: a task that was not done, a wrong answer
 */
public record Outcome(
    List<Table> tables,
    List<Versus> versus,
    List<Diagnosis> diagnoses,
    List<Plot> plots,
    List<String> notes,
    List<String> problems) {
  public Outcome {
    tables = List.copyOf(tables);
    versus = List.copyOf(versus);
    diagnoses = List.copyOf(diagnoses);
    plots = List.copyOf(plots);
    notes = List.copyOf(notes);
    problems = List.copyOf(problems);
  }

  /** What a number counts. */
  public enum Unit {
    COUNT,
    MILLIS,
    PER_SECOND,
    BYTES,
    TIMES,
    /** A share: 0.5 is 50%. */
    PERCENT
  }

  /** Rows that have their columns in common. */
  public record Table(String title, List<Row> rows) {
    public Table {
      rows = List.copyOf(rows);
    }
  }

  /**
   * One thing that was measured.
   *
   * @param figures those that the row has; others of the table are left out in it
   */
  public record Row(String label, List<Figure> figures) {
    public Row {
      figures = List.copyOf(figures);
    }
  }

  /**
   * One number.
   *
   * @param name the head of its column
   * @param published what the article has there; empty if it has nothing
   */
  public record Figure(String name, Unit unit, double value, OptionalDouble published) {
    /** A number that the article does not have. */
    public static Figure of(String name, Unit unit, double value) {
      return new Figure(name, unit, value, OptionalDouble.empty());
    }

    /** A number beside the published one. */
    public static Figure of(String name, Unit unit, double value, double published) {
      return new Figure(name, unit, value, OptionalDouble.of(published));
    }
  }

  /**
   * Two variants, run in turns.
   *
   * @param label what is compared
   * @param before the variant that pins
   * @param after the one that does not
   * @param throughput of both
   * @param pairs how often each of them ran
   */
  public record Versus(
      String label,
      String before,
      String after,
      Comparison.Figure throughput,
      SpeedVerdict verdict,
      int pairs) {}

  /**
   * A recording that {@code vtdiag analyze} is to explain.
   *
   * @param classPath what ran
   */
  public record Diagnosis(String label, Path recording, List<String> classPath) {
    public Diagnosis {
      classPath = List.copyOf(classPath);
    }
  }

  /**
   * Figures to draw.
   *
   * @param name of the file, without ending
   * @param labels what stands below the bars; empty if the series are lines
   */
  public record Plot(
      String name,
      String title,
      String xLabel,
      String yLabel,
      boolean logY,
      List<String> labels,
      List<Series> series) {
    public Plot {
      labels = List.copyOf(labels);
      series = List.copyOf(series);
    }
  }

  /**
   * One line of a plot, or the bars of one colour.
   *
   * @param x empty for bars
   */
  public record Series(String name, List<Double> x, List<Double> y) {
    public Series {
      x = List.copyOf(x);
      y = List.copyOf(y);
    }
  }
}
