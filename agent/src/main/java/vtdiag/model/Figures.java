package vtdiag.model;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and shares as people read and write them. */
public final class Figures {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final Pattern DURATION = Pattern.compile("(\\d+(?:\\.\\d+)?) ?(ns|us|ms|s|m|h)");

  private Figures() {}

  /** Two or three digits and a unit: {@code 175 ms}, {@code 46.2 s}. */
  public static String duration(long nanos) {
    if (nanos >= SECOND) {
      return digits((double) nanos / SECOND, nanos >= 100 * SECOND) + " s";
    }
    if (nanos >= MILLI || nanos == 0) {
      return digits((double) nanos / MILLI, nanos >= 10 * MILLI) + " ms";
    }
    return nanos >= MICRO
        ? String.format(Locale.ROOT, "%.0f us", (double) nanos / MICRO)
        : String.format(Locale.ROOT, "%d ns", nanos);
  }

  private static String digits(double value, boolean whole) {
    String text = String.format(Locale.ROOT, whole ? "%,.0f" : "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** As {@link #duration}, with more digits if it would read like {@code other} otherwise. */
  public static String durationBeside(long nanos, long other) {
    String text = duration(nanos);
    return nanos == other || !text.equals(duration(other))
        ? text
        : String.format(Locale.ROOT, "%,.6f ms", (double) nanos / MILLI);
  }

  /** Seconds without the unit: {@code 47.1}, {@code 124}. */
  public static String seconds(long nanos) {
    double seconds = (double) nanos / SECOND;
    if (nanos > 0 && nanos < MILLI) {
      return "under 0.001";
    }
    return String.format(
        Locale.ROOT, seconds >= 100 ? "%,.0f" : seconds >= 1 ? "%.1f" : "%.3f", seconds);
  }

  /** {@code 38%}, {@code 1.5%}, {@code under 0.1%}. */
  public static String percent(double share) {
    double percent = share * 100;
    if (percent > 0 && percent < 0.1) {
      return "under 0.1%";
    }
    return String.format(Locale.ROOT, percent >= 10 || percent == 0 ? "%.0f%%" : "%.1f%%", percent);
  }

  /** As {@link #percent}, with more digits if it would read like {@code other} otherwise. */
  public static String percentBeside(double share, double other) {
    String text = percent(share);
    return Double.compare(share, other) == 0 || !text.equals(percent(other))
        ? text
        : String.format(Locale.ROOT, "%.6f%%", share * 100);
  }

  /**
   * {@code Foo.java:12}. Recordings do not name source files: this is the top-level class, and of
   * Kotlin or Scala code only the line is right.
   */
  public static String position(ClassRef type, int line) {
    String simple = type.simpleName();
    int nested = simple.indexOf('$', 1);
    return (nested < 0 ? simple : simple.substring(0, nested)) + ".java:" + line;
  }

  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** {@code 1 pin}, {@code 1,190 pins}. */
  public static String count(long count, String noun) {
    return count(count) + " " + noun + (count == 1 ? "" : "s");
  }

  /**
   * Reads {@code 50ms}, {@code 1.5s}, {@code 200us}, {@code 0}, or ISO-8601 such as {@code PT0.2S}.
   *
   * @return nanoseconds
   * @throws IllegalArgumentException if it is no duration
   */
  public static long parseDuration(String text) {
    Matcher matcher = DURATION.matcher(text.strip());
    try {
      if (matcher.matches()) {
        double unit =
            switch (matcher.group(2)) {
              case "ns" -> 1;
              case "us" -> MICRO;
              case "ms" -> MILLI;
              case "s" -> SECOND;
              case "m" -> 60 * SECOND;
              default -> 3_600 * SECOND;
            };
        return Math.round(Double.parseDouble(matcher.group(1)) * unit);
      }
      if (text.strip().equals("0")) {
        return 0;
      }
      long nanos = Duration.parse(text.strip()).toNanos();
      if (nanos >= 0) {
        return nanos;
      }
    } catch (DateTimeParseException | ArithmeticException e) {
      // Falls to the one message below.
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a duration; write 50ms, 1.5s, 200us or PT0.2S");
  }
}
