package io.github.vtdiag.baseline;

import io.github.vtdiag.analysis.Cost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What counts as noise between two runs of the same program. A figure is worse if it is more than
 * so many times the other, and by more than a floor, because small figures vary most.
 *
 * @param factor how many times
 * @param longestNanos the floor of the longest pin, which one pause of the machine makes longer
 * @param typicalNanos the floor of the median, which is compared where both runs have five pins
 * @param pins the floor of how many there are, after both runs are brought to the same length
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

  /** A median of fewer is chance. */
  private static final int FEWEST = 5;

  /** Of what is no pin: so many more threads, carriers or bytes a second are no accident. */
  private static final double THREADS = 5;

  private static final double CARRIERS = 0.25;
  private static final double BYTES = 10e6;
  private static final double COUNT = 10;

  /** Whether there is more of something that is no pin than chance explains. */
  boolean isMore(BaselineFinding.Unit unit, double before, double after) {
    return after > most(unit, before);
  }

  /** The most that there may be of something that is no pin before it is worse than it was. */
  public double most(BaselineFinding.Unit unit, double before) {
    return factor * before + floor(unit);
  }

  /** Whether it is more than chance, where the other run has none; a hang is. */
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

  /** Whether a finding is more than chance, where the other run has none. */
  boolean isNotable(Cost cost) {
    return cost.totalNanos() > newNanos || cost.count() > pins;
  }

  /** What a finding is compared by. */
  public enum Figure {
    LONGEST("longest"),
    MEDIAN("median"),
    COUNT("pins");

    private final String text;

    Figure(String text) {
      this.text = text;
    }

    /** What people call it. */
    public String text() {
      return text;
    }

    /** Nanoseconds, or how many. */
    public long of(Cost cost) {
      return switch (this) {
        case LONGEST -> cost.longestNanos();
        case MEDIAN -> cost.p50Nanos();
        case COUNT -> cost.count();
      };
    }
  }

  /**
   * In what a finding is worse than it was; empty if that may be chance.
   *
   * @param length how many times as long as the run before this one was
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

  /** The most that a figure may be before it is worse than it was. */
  public long most(Figure figure, Cost before, double length) {
    return switch (figure) {
      case LONGEST -> (long) (factor * before.longestNanos()) + longestNanos;
      case MEDIAN -> (long) (factor * before.p50Nanos()) + typicalNanos;
      case COUNT -> (long) (factor * before.count() * length) + pins;
    };
  }
}
