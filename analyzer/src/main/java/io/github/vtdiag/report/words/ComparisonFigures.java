package io.github.vtdiag.report.words;

import io.github.vtdiag.compare.Forecast;
import io.github.vtdiag.compare.Ratio;
import io.github.vtdiag.model.Figures;
import java.util.Locale;

/** The figures of a comparison, with their significant digits. */
public final class ComparisonFigures {
  public static final String UNKNOWN = "unknown";

  private ComparisonFigures() {}

  public static String range(Forecast.Times times) {
    String least = twoDigits(times.least());
    String most = twoDigits(times.most());
    return least.equals(most) ? "about " + most : least + " to " + most;
  }

  /** Returns a number with two digits: a prediction has no more. */
  static String twoDigits(double number) {
    if (number < 10) {
      return Figures.decimal(number, 1);
    }
    double unit = Math.pow(10, Math.floor(Math.log10(number)) - 1);
    return Figures.count(Math.round(number / unit) * Math.round(unit));
  }

  public static String interval(Ratio ratio) {
    if (Double.isInfinite(ratio.high())) {
      return ratio.low() > 0 ? digits(ratio.low()) + " or more" : UNKNOWN;
    }
    return ratio.low() > 0
        ? digits(ratio.low()) + " to " + digits(ratio.high())
        : digits(ratio.high()) + " or less";
  }

  public static String perSecond(double number) {
    return (number == 0 ? "0" : digits(number)) + "/s";
  }

  /** Returns a number with three significant digits. */
  public static String digits(double number) {
    return String.format(
        Locale.ROOT,
        number >= 100 ? "%,.0f" : number >= 10 ? "%.1f" : number >= 0.1 ? "%.2f" : "%.2g",
        number);
  }
}
