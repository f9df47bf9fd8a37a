package io.github.vtdiag.compare;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the number of operations in a program's output. The last match counts, because programs
 * count up.
 */
public final class Operations {
  private static final String NUMBER = "(\\d[\\d,_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)";
  private static final Pattern RATE =
      Pattern.compile(NUMBER + "\\s*(?:operations|ops)?\\s*/\\s*s(?:ec(?:ond)?)?\\b");
  private static final Pattern COUNT = Pattern.compile(NUMBER + "\\s*(?:operations|ops)\\b");
  private static final Pattern PER_SECOND = Pattern.compile("/\\s*s(?:ec(?:ond)?)?\\b");

  /**
   * A number of operations, in all or a second.
   *
   * @param step the value of the last digit: a rate that is printed as 0 may be up to that
   */
  record Amount(double number, double step, boolean perSecond) {
    Rate rate(long wallNanos) {
      Rate ofAll = Rate.of(number, wallNanos);
      return perSecond ? new Rate(number, Math.max(step, ofAll.least())) : ofAll;
    }

    private static Optional<Amount> of(String text, boolean perSecond) {
      try {
        BigDecimal number = new BigDecimal(text.strip().replaceAll("[,_]", ""));
        double value = number.doubleValue();
        return Double.isFinite(value) && value >= 0
            ? Optional.of(new Amount(value, number.ulp().doubleValue(), perSecond))
            : Optional.empty();
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
  }

  private final Optional<Pattern> own;
  private Optional<Amount> last = Optional.empty();

  private Operations(Optional<Pattern> own) {
    this.own = own;
  }

  /**
   * Returns an instance for the output of one run.
   *
   * @param pattern the user's own, with one group around the number; empty for the usual ways to
   *     say it
   */
  static Operations in(Optional<Pattern> pattern) {
    return new Operations(pattern);
  }

  synchronized void line(String line) {
    find(line).ifPresent(printed -> last = Optional.of(printed));
  }

  /** Returns the number that was printed last; empty if there was none. */
  synchronized Optional<Amount> printed() {
    return last;
  }

  private Optional<Amount> find(String line) {
    if (own.isEmpty()) {
      return first(RATE, line, true).or(() -> first(COUNT, line, false));
    }
    Matcher matcher = own.get().matcher(line);
    if (!matcher.find() || matcher.group(1) == null) {
      return Optional.empty();
    }
    boolean perSecond = PER_SECOND.matcher(matcher.group()).find();
    return Amount.of(matcher.group(1), perSecond);
  }

  private static Optional<Amount> first(Pattern pattern, String line, boolean perSecond) {
    Matcher matcher = pattern.matcher(line);
    return matcher.find() ? Amount.of(matcher.group(1), perSecond) : Optional.empty();
  }
}
