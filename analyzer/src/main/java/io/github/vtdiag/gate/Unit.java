package io.github.vtdiag.gate;

import io.github.vtdiag.model.Figures;

/** The unit of a figure: how a limit is read, and how a figure is shown beside it. */
public enum Unit {
  /** Nanoseconds; a double is exact up to a hundred days. */
  DURATION("DURATION") {
    @Override
    public double parse(String text) {
      return (double) Figures.parseDuration(text);
    }

    @Override
    public String text(double value, double beside) {
      return Figures.durationBeside((long) value, (long) beside);
    }
  },

  COUNT("N") {
    @Override
    public double parse(String text) {
      if (!text.matches("\\d{1,15}")) {
        throw new IllegalArgumentException("'" + text + "' is not a count; write 0 or more");
      }
      return (double) Long.parseLong(text);
    }

    @Override
    public String text(double value, double beside) {
      // An average need not be whole.
      return value == Math.rint(value)
          ? Figures.count((long) value)
          : Figures.grouped(Figures.decimal(value, 1));
    }
  },

  /** A number per minute. */
  RATE("RATE") {
    @Override
    public double parse(String text) {
      if (!text.matches("\\d{1,9}(\\.\\d+)?(/min)?")) {
        throw new IllegalArgumentException(
            "'" + text + "' is not a rate; write how many per minute, such as 60 or 0.5/min");
      }
      return Double.parseDouble(text.replace("/min", ""));
    }

    @Override
    public String text(double value, double beside) {
      String text = rate(value, 1);
      return (Double.compare(value, beside) == 0 || !text.equals(rate(beside, 1))
              ? text
              : rate(value, 6))
          + "/min";
    }

    private static String rate(double value, int digits) {
      return value == Math.rint(value)
          ? Figures.count((long) value)
          : Figures.grouped(Figures.decimal(value, digits));
    }
  },

  /** A share of 1. */
  PERCENT("PERCENT") {
    @Override
    public double parse(String text) {
      if (!text.matches("\\d{1,3}(\\.\\d+)?%?")) {
        throw new IllegalArgumentException("'" + text + "' is not a percentage; write 5 or 0.5%");
      }
      return Double.parseDouble(text.replace("%", "")) / 100;
    }

    @Override
    public String text(double value, double beside) {
      return Figures.percentBeside(value, beside);
    }
  };

  private final String label;

  Unit(String label) {
    this.label = label;
  }

  /** Returns the placeholder of a value in a help text. */
  public String label() {
    return label;
  }

  /**
   * Reads a limit.
   *
   * @throws IllegalArgumentException if it is none; the message says what to write
   */
  public abstract double parse(String text);

  /**
   * Returns a figure with its unit, and with more digits if it would read like {@code beside}
   * otherwise.
   */
  public abstract String text(double value, double beside);
}
