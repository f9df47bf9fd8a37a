package io.github.vtdiag.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and shares as people read and write them. */
public final class Figures {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final Pattern DURATION =
      Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ns|us|ms|s|m|h|d)");

  /** The number of digits that fit into a long, whatever they are. */
  private static final int DIGITS_OF_LONG = 18;

  private Figures() {}

  /** Returns two or three digits and a unit: {@code 175 ms}, {@code 46.2 s}. */
  public static String duration(long nanos) {
    if (nanos >= SECOND) {
      return digits((double) nanos / SECOND, nanos >= 100 * SECOND) + " s";
    }
    if (nanos >= MILLI || nanos == 0) {
      return digits((double) nanos / MILLI, nanos >= 10 * MILLI) + " ms";
    }
    return nanos >= MICRO ? decimal((double) nanos / MICRO, 0) + " us" : nanos + " ns";
  }

  /**
   * Returns the value with this many digits behind the point: {@code 1234.5}. {@link
   * java.util.Formatter} and {@link BigDecimal} return the same, but the first loads 300 classes of
   * the JDK, mostly locales, and on Java 25 the second computes large powers when it is first used:
   * many times what the rest of a short run takes.
   */
  public static String decimal(double value, int digits) {
    if (!Double.isFinite(value)) {
      return Double.toString(value);
    }
    String number = Double.toString(Math.abs(value));
    int exponent = number.indexOf('E');
    int end = exponent < 0 ? number.length() : exponent;
    int point = number.indexOf('.');
    String all = number.substring(0, point) + number.substring(point + 1, end);
    long kept =
        point + digits + (exponent < 0 ? 0L : Long.parseLong(number.substring(exponent + 1)));
    if (kept > DIGITS_OF_LONG) {
      return BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP).toPlainString();
    }
    long scaled = 0;
    for (int at = 0; at < kept; at++) {
      scaled = 10 * scaled + (at < all.length() ? all.charAt(at) - '0' : 0);
    }
    if (kept >= 0 && kept < all.length() && all.charAt((int) kept) >= '5') {
      scaled++;
    }
    StringBuilder text = new StringBuilder(Long.toString(scaled));
    if (digits > 0) {
      text.insert(0, "0".repeat(Math.max(0, digits + 1 - text.length())));
      text.insert(text.length() - digits, '.');
    }
    return value < 0 && scaled > 0 ? "-" + text : text.toString();
  }

  /** Returns the decimal number with commas between thousands: {@code 1,234.5}. */
  public static String grouped(String number) {
    if (!Character.isDigit(number.charAt(number.length() - 1))) {
      return number;
    }
    int point = number.indexOf('.');
    int first = number.startsWith("-") ? 1 : 0;
    StringBuilder text = new StringBuilder(number);
    for (int at = (point < 0 ? number.length() : point) - 3; at > first; at -= 3) {
      text.insert(at, ',');
    }
    return text.toString();
  }

  private static String digits(double value, boolean whole) {
    String text = whole ? grouped(decimal(value, 0)) : decimal(value, 1);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** As {@link #duration}, with more digits if it would read like {@code other} otherwise. */
  public static String durationBeside(long nanos, long other) {
    String text = duration(nanos);
    return nanos == other || !text.equals(duration(other))
        ? text
        : grouped(decimal((double) nanos / MILLI, 6)) + " ms";
  }

  /** Returns seconds without the unit: {@code 47.1}, {@code 124}. */
  public static String seconds(long nanos) {
    double seconds = (double) nanos / SECOND;
    if (nanos > 0 && nanos < MILLI) {
      return "under 0.001";
    }
    return seconds >= 100 ? grouped(decimal(seconds, 0)) : decimal(seconds, seconds >= 1 ? 1 : 3);
  }

  /** Returns {@code 38%}, {@code 1.5%}, {@code under 0.1%}. */
  public static String percent(double share) {
    double percent = share * 100;
    if (percent > 0 && percent < 0.1) {
      return "under 0.1%";
    }
    return decimal(percent, percent >= 10 || percent == 0 ? 0 : 1) + "%";
  }

  /** As {@link #percent}, with more digits if it would read like {@code other} otherwise. */
  public static String percentBeside(double share, double other) {
    String text = percent(share);
    return Double.compare(share, other) == 0 || !text.equals(percent(other))
        ? text
        : decimal(share * 100, 6) + "%";
  }

  /** Returns a mean: {@code 1,234}, and below ten with a decimal, {@code 9.5}. */
  public static String mean(double value) {
    return value >= 10 ? count(Math.round(value)) : decimal(value, 1);
  }

  /** Returns {@code 12 KB}, or from a million bytes on {@code 12 MB}. */
  public static String bytes(double bytes) {
    return bytes < 1e6
        ? count(Math.round(bytes / 1e3)) + " KB"
        : count(Math.round(bytes / 1e6)) + " MB";
  }

  /** Returns {@code Foo.java:12}, or {@code Foo.java} if there is no line. */
  public static String position(ClassRef type, int line) {
    return line < 0 ? type.file() : type.file() + ":" + line;
  }

  public static String count(long count) {
    return grouped(Long.toString(count));
  }

  /** Returns {@code the only carrier}, {@code both carriers}, or {@code all 8 carriers}. */
  public static String allCarriers(int carriers) {
    return switch (carriers) {
      case 1 -> "the only carrier";
      case 2 -> "both carriers";
      default -> "all " + carriers + " carriers";
    };
  }

  /** Returns {@code 1 pin}, {@code 1,190 pins}, {@code 2 classes}. */
  public static String count(long count, String noun) {
    return count(count) + " " + noun + (count == 1 ? "" : noun.endsWith("s") ? "es" : "s");
  }

  /**
   * Reads {@code 50ms}, {@code 1.5s}, {@code 200us}, {@code 0}, or ISO-8601 such as {@code PT0.2S}.
   *
   * @return nanoseconds, at most {@code Long.MAX_VALUE}, about 292 years
   * @throws IllegalArgumentException if it is no duration
   */
  public static long parseDuration(String text) {
    return findDuration(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + text + "' is not a duration; write 50ms, 1.5s, 200us or PT0.2S"));
  }

  /** As {@link #parseDuration}, which reads JFR's settings too; empty if it is no duration. */
  public static OptionalLong findDuration(String text) {
    String stripped = text.strip();
    Matcher matcher = DURATION.matcher(stripped);
    if (matcher.matches()) {
      long unit =
          switch (matcher.group(2)) {
            case "ns" -> 1;
            case "us" -> MICRO;
            case "ms" -> MILLI;
            case "s" -> SECOND;
            case "m" -> 60 * SECOND;
            case "h" -> 3_600 * SECOND;
            default -> 86_400 * SECOND;
          };
      return OptionalLong.of(nanos(matcher.group(1), unit));
    }
    if (stripped.equals("0")) {
      return OptionalLong.of(0);
    }
    try {
      long nanos = stripped.startsWith("P") ? Duration.parse(stripped).toNanos() : -1;
      return nanos < 0 ? OptionalLong.empty() : OptionalLong.of(nanos);
    } catch (DateTimeParseException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns the number of units in nanoseconds, at most {@code Long.MAX_VALUE}. */
  private static long nanos(String number, long unit) {
    if (number.length() <= DIGITS_OF_LONG && number.indexOf('.') < 0) {
      long units = Long.parseLong(number);
      return units <= Long.MAX_VALUE / unit ? units * unit : Long.MAX_VALUE;
    }
    return new BigDecimal(number)
        .multiply(BigDecimal.valueOf(unit))
        .setScale(0, RoundingMode.HALF_UP)
        .min(BigDecimal.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }
}
