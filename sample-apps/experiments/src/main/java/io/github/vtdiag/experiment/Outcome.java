package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.compare.SpeedVerdict;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The results of an experiment.
 *
 * @param tables the article's figures beside ours
 * @param versus each variant that pins beside the one that does not
 * @param diagnoses recordings to look at
 * @param notes further remarks, one sentence each
 * @param problems what went wrong: a task that was not done, a wrong answer
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

  /** The unit of a number. */
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
   * One measurement.
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
   * @param published the article's number; empty if it has none
   */
  public record Figure(String name, Unit unit, double value, OptionalDouble published) {
    /** Returns a number that the article does not have. */
    public static Figure of(String name, Unit unit, double value) {
      return new Figure(name, unit, value, OptionalDouble.empty());
    }

    /** Returns a number beside the published one. */
    public static Figure of(String name, Unit unit, double value, double published) {
      return new Figure(name, unit, value, OptionalDouble.of(published));
    }
  }

  /**
   * Two variants that ran alternately.
   *
   * @param label names the comparison
   * @param before the variant that pins
   * @param after the one that does not
   * @param throughput of both
   * @param pairs the number of runs of each
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
   * @param classPath of the program that ran
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
   * @param labels of the bars; empty if the series are lines
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
