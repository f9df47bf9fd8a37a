package io.github.vtdiag.gate;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A figure that a gate can limit. The command's options, the policy, the verdict and what is
 * printed follow from it; all of them are in {@link Measures}.
 *
 * @param id as JSON names it
 * @param text its name in a verdict
 * @param option the option that sets its limit
 * @param unit in which a limit is read, and a figure printed
 * @param bound whether more or less than the limit breaks it
 * @param description of the limit, for a help text
 * @param about what it counts
 * @param figure the figure; empty if the recordings do not tell it
 * @param gathered the same of many recordings, of which only sums are known
 * @param part a finding's part in it: the one with the most is named
 * @param aggregation how the findings' parts make the figure
 * @param needed with such a gap nothing is known of it
 * @param blurring with such a gap the figure may be less than it was
 * @param unseen why more than a limit could have been there unseen
 * @param unwatched what the agent's watch leaves out that is above a limit
 */
public record Measure(
    String id,
    String text,
    String option,
    Unit unit,
    Bound bound,
    String description,
    About about,
    Figure figure,
    Function<Gathered, OptionalDouble> gathered,
    ToLongFunction<Pin> part,
    Aggregation aggregation,
    Set<Gap.Kind> needed,
    Set<Gap.Kind> blurring,
    Unseen unseen,
    Unseen unwatched) {

  /** The subject that a measure counts. */
  public enum About {
    /** Pins, so those of one owner can have a limit of their own. */
    PINS,
    /** The activity of the carriers, which has no owner. */
    CARRIERS,
    /** The time that threads waited without a carrier, which has no owner either. */
    WAITS
  }

  /** Computes the figure. */
  interface Figure {
    /**
     * Returns the figure of some pins of a run, or, if it is about the carriers, of the run.
     *
     * @param counted the pins that count
     */
    OptionalDouble of(Findings findings, Counted counted);
  }

  /** The sums of several pins. */
  record Counted(long count, long totalNanos, long longestNanos) {
    static Counted of(List<Pin> pins) {
      return new Counted(
          pins.stream().mapToLong(Pin::count).sum(),
          pins.stream().mapToLong(Pin::total).sum(),
          pins.stream().mapToLong(Pin::longest).max().orElse(0));
    }
  }

  /** The way in which the parts of the findings make a figure. */
  public enum Aggregation {
    /** The greatest part is the figure, so a finding can break a limit by itself. */
    MAXIMUM,
    /** The parts add up, so all of them break a limit together. */
    SUM
  }

  /** The side of a limit on which a figure may be. */
  public enum Bound {
    AT_MOST,
    AT_LEAST;

    public boolean isBroken(double figure, double limit) {
      return switch (this) {
        case AT_MOST -> figure > limit;
        case AT_LEAST -> figure < limit;
      };
    }
  }

  /** Tells why more than a limit could have been there unseen. */
  interface Unseen {
    /** Returns one sentence each. */
    List<String> above(double limit, Findings findings);
  }

  public Measure {
    needed = Set.copyOf(needed);
    blurring = Set.copyOf(blurring);
  }

  /** Returns whether one pin alone breaks a limit, however many others there are. */
  boolean isOfSinglePin() {
    return about == About.PINS && aggregation == Aggregation.MAXIMUM;
  }
}
