package io.github.vtdiag.cli;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.recording.TimeRange;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time that {@code --from} or {@code --to} names. */
final class TimeBound implements ITypeConverter<TimeRange.Bound> {
  /** The form of a time with a zone. */
  private static final Pattern ZONED = Pattern.compile(".*T.*(Z|[+-]\\d\\d:?.*)");

  @Override
  public TimeRange.Bound convert(String text) {
    try {
      if (text.startsWith("+")) {
        return new TimeRange.AfterStart(Figures.parseDuration(text.substring(1)));
      }
      if (text.startsWith("-")) {
        return new TimeRange.BeforeEnd(Figures.parseDuration(text.substring(1)));
      }
      if (ZONED.matcher(text).matches()) {
        return new TimeRange.At(TimeRange.nanosOf(OffsetDateTime.parse(text).toInstant()));
      }
      return text.contains("T")
          ? new TimeRange.At(
              TimeRange.nanosOf(
                  LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant()))
          : new TimeRange.OnTheDay(LocalTime.parse(text));
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new TypeConversionException(
          "'" + text + "' is not a time; write 2026-11-21T10:00:00Z, 10:00, +90s or -5m");
    }
  }
}
