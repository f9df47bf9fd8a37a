package io.github.vtdiag.recording;

import io.github.vtdiag.model.DataException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The requested part of a recording's time. A pin that crosses a bound counts with the part of it
 * that is inside.
 *
 * @param from where it begins; empty for the recording's start
 * @param to where it ends; empty for the recording's end
 */
public record TimeRange(Optional<Bound> from, Optional<Bound> to) {
  /** The whole time of a recording. */
  public static final TimeRange ALL = new TimeRange(Optional.empty(), Optional.empty());

  /** One end of the range. */
  public sealed interface Bound {
    /**
     * Returns nanoseconds since the epoch; empty if they depend on a start or end not known yet.
     */
    OptionalLong nanos(OptionalLong start, OptionalLong end);
  }

  /** A point in time. */
  public record At(long nanos) implements Bound {
    @Override
    public OptionalLong nanos(OptionalLong start, OptionalLong end) {
      return OptionalLong.of(nanos);
    }
  }

  /** A time on the day of the recording. */
  public record OnTheDay(LocalTime time) implements Bound {
    @Override
    public OptionalLong nanos(OptionalLong start, OptionalLong end) {
      return start.isEmpty()
          ? start
          : OptionalLong.of(
              nanosOf(day(start.getAsLong()).atTime(time).atZone(zone()).toInstant()));
    }
  }

  /** A time after the recording's start. */
  public record AfterStart(long nanos) implements Bound {
    @Override
    public OptionalLong nanos(OptionalLong start, OptionalLong end) {
      return start.isEmpty() ? start : OptionalLong.of(start.getAsLong() + nanos);
    }
  }

  /** A time before the recording's end. */
  public record BeforeEnd(long nanos) implements Bound {
    @Override
    public OptionalLong nanos(OptionalLong start, OptionalLong end) {
      return end.isEmpty() ? end : OptionalLong.of(end.getAsLong() - nanos);
    }
  }

  /** The first event of this name in the recording; without one, nothing is after it. */
  public record AfterEvent(String name) implements Bound {
    @Override
    public OptionalLong nanos(OptionalLong start, OptionalLong end) {
      throw new IllegalStateException("the recording was not asked when " + name + " was");
    }
  }

  /**
   * Returns the same range in a recording, in which it may depend on more than the start and end.
   */
  TimeRange in(Input input) throws DataException {
    if (from.isPresent() && from.get() instanceof AfterEvent after) {
      if (input.files().isEmpty()) {
        throw new DataException(
            input.source() + ": cannot be read twice to look for " + after.name + "; name a file");
      }
      OptionalLong first = FirstEvent.find(input, after.name);
      return new TimeRange(Optional.of(new At(first.orElse(Span.NONE.from))), to);
    }
    return this;
  }

  /** A time from {@code from} to {@code to}, in nanoseconds since the epoch. */
  record Span(long from, long to) {
    static final Span ALL = new Span(Long.MIN_VALUE, Long.MAX_VALUE);
    static final Span NONE = new Span(Long.MAX_VALUE, Long.MIN_VALUE);

    boolean isAll() {
      return from == ALL.from && to == ALL.to;
    }

    boolean isNone() {
      return from == NONE.from && to == NONE.to;
    }

    boolean overlaps(long start, long end) {
      return start < to && end >= from;
    }
  }

  public boolean isAll() {
    return from.isEmpty() && to.isEmpty();
  }

  /** Returns whether the range differs between recordings. */
  boolean isRelative() {
    return !(from.isEmpty() || from.get() instanceof At)
        || !(to.isEmpty() || to.get() instanceof At);
  }

  /** Returns whether no recording can have anything in it. */
  public boolean isBackwards() {
    if (from.isEmpty() || to.isEmpty()) {
      return false;
    }
    return switch (from.get()) {
      case At a -> to.get() instanceof At b && a.nanos >= b.nanos;
      case OnTheDay a -> to.get() instanceof OnTheDay b && !a.time.isBefore(b.time);
      case AfterStart a -> to.get() instanceof AfterStart b && a.nanos >= b.nanos;
      case BeforeEnd a -> to.get() instanceof BeforeEnd b && a.nanos <= b.nanos;
      case AfterEvent a -> false;
    };
  }

  /** Returns the range in a recording whose start or end may not be known yet. */
  Span span(OptionalLong start, OptionalLong end) {
    return new Span(
        from.map(bound -> bound.nanos(start, end))
            .orElse(OptionalLong.empty())
            .orElse(Span.ALL.from),
        to.map(bound -> bound.nanos(start, end)).orElse(OptionalLong.empty()).orElse(Span.ALL.to));
  }

  /**
   * Returns what is wrong with a time of day for a recording from {@code start} to {@code end}, or
   * "".
   */
  String ambiguity(long start, long end) {
    boolean onTheDay =
        from.filter(OnTheDay.class::isInstance).isPresent()
            || to.filter(OnTheDay.class::isInstance).isPresent();
    return onTheDay && !day(start).equals(day(end))
        ? "goes from %s to %s; give --from and --to with the date".formatted(day(start), day(end))
        : "";
  }

  /** Returns nanoseconds since the epoch, which reach from 1678 to 2262; beyond, the nearest. */
  public static long nanosOf(Instant time) {
    try {
      return Math.addExact(
          Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
    } catch (ArithmeticException e) {
      return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  private static LocalDate day(long nanos) {
    return Instant.ofEpochSecond(0, nanos).atZone(zone()).toLocalDate();
  }

  private static ZoneId zone() {
    return ZoneId.systemDefault();
  }
}
