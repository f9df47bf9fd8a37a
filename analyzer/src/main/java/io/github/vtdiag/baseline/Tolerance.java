package io.github.vtdiag.baseline;

import io.github.vtdiag.analysis.Cost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The noise between two runs of the same program. A figure is worse if it exceeds the other by a
 * factor and by more than a floor, because small figures vary most.
 *
 * @param factor that a figure must exceed
 * @param longestNanos the floor of the longest pin, which one pause of the machine makes longer
 * @param typicalNanos the floor of the median, which is compared where both runs have five pins
 * @param pins the floor of the number of pins, after both runs are brought to the same length
 * @param newNanos a finding that only one run has counts if it took more time than this in all, or
 *     had more pins than {@code pins}
 */
public record Tolerance(
    double factor, long longestNanos, long typicalNanos, long pins, long newNanos) {
  public static final Tolerance NORMAL =
      new Tolerance(
          2,
          TimeUnit.MILLISECONDS.toNanos(500),
          TimeUnit.MILLISECONDS.toNanos(20),
          10,
          TimeUnit.MILLISECONDS.toNanos(100));

  /** The fewest pins whose median is compared; of fewer it is chance. */
  private static final int FEWEST = 5;

  /**
   * The floors of the other findings, in threads, carriers or bytes a second; more is no accident.
   */
  private static final double THREADS = 5;

  private static final double CARRIERS = 0.25;
  private static final double BYTES = 10e6;
  private static final double COUNT = 10;

  /** Returns whether a figure other than of pins has grown by more than chance explains. */
  boolean isMore(BaselineFinding.Unit unit, double before, double after) {
    return after > most(unit, before);
  }

  /** Returns the most that a figure other than of pins may be before it is worse than it was. */
  public double most(BaselineFinding.Unit unit, double before) {
    return factor * before + floor(unit);
  }

  /** Returns whether it is more than chance, where the other run has none; a hang always is. */
  boolean isNotable(BaselineFinding other) {
    return other.isHang() || (other.limits() && isMore(other.unit(), 0, other.figure()));
  }

  private static double floor(BaselineFinding.Unit unit) {
    return switch (unit) {
      case THREADS -> THREADS;
      case CARRIERS -> CARRIERS;
      case BYTES -> BYTES;
      case COUNT -> COUNT;
    };
  }

  /** Returns whether a finding is more than chance, where the other run has none. */
  boolean isNotable(Cost cost) {
    return cost.totalNanos() > newNanos || cost.count() > pins;
  }

  /** The figures by which findings are compared. */
  public enum Figure {
    LONGEST("longest"),
    MEDIAN("median"),
    COUNT("pins");

    private final String text;

    Figure(String text) {
      this.text = text;
    }

    /** Returns the name for people. */
    public String text() {
      return text;
    }

    /** Returns nanoseconds, or a number of pins. */
    public long of(Cost cost) {
      return switch (this) {
        case LONGEST -> cost.longestNanos();
        case MEDIAN -> cost.p50Nanos();
        case COUNT -> cost.count();
      };
    }
  }

  /**
   * Returns the figures in which a finding is worse than it was; empty if that may be chance.
   *
   * @param length of this run as a multiple of the one before
   */
  List<Figure> worse(Cost before, Cost after, double length) {
    List<Figure> worse = new ArrayList<>();
    for (Figure figure : Figure.values()) {
      boolean told = figure != Figure.MEDIAN || Math.min(before.count(), after.count()) >= FEWEST;
      if (told && figure.of(after) > most(figure, before, length)) {
        worse.add(figure);
      }
    }
    return worse;
  }

  /** Returns the most that a figure may be before it is worse than it was. */
  public long most(Figure figure, Cost before, double length) {
    return switch (figure) {
      case LONGEST -> (long) (factor * before.longestNanos()) + longestNanos;
      case MEDIAN -> (long) (factor * before.p50Nanos()) + typicalNanos;
      case COUNT -> (long) (factor * before.count() * length) + pins;
    };
  }
}
