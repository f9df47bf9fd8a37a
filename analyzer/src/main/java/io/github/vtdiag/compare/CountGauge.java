package io.github.vtdiag.compare;

import io.github.vtdiag.compare.CountedCalls.Line;
import io.github.vtdiag.compare.Plan.Source.Counted;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the calls that the agent counts; the application need not end. */
final class CountGauge implements Gauge {
  private static final long LOOK_NANOS = 50_000_000;

  /** The longest time for which the agent may write nothing, as on a busy machine. */
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  /** The shortest measurement that is worth a figure. */
  private static final long LEAST_NANOS = 1_000_000_000;

  private final Counted source;
  private final CountedCalls file;

  CountGauge(Counted source, CountedCalls file) {
    this.source = source;
    this.file = file;
  }

  @Override
  public void check() {
    // The agent refuses what it cannot count.
  }

  @Override
  public void line(String line) {
    // Only its calls count.
  }

  @Override
  public Reading read(Attempt attempt) throws DataException, InterruptedException {
    attempt.at("waiting for the first call");
    Line first = awaitCall(attempt);
    // Accurate to one poll, which is enough for the pins.
    Instant start = Instant.now().minusNanos(file.lines().getLast().nanos());
    attempt.at("warming up and measuring");
    long begin = first.nanos() + source.warmUpNanos();
    long end = awaitEnd(begin, attempt);
    List<Line> lines = file.lines();
    Line from = CountedCalls.nearest(lines, begin);
    Line to = CountedCalls.nearest(lines, end);
    List<Run.Measured> measured = new ArrayList<>();
    for (Counted.Method method : source.methods()) {
      double calls = to.counts().get(method) - from.counts().get(method);
      measured.add(
          new Run.Measured(
              method.name(), Rate.of(calls, to.nanos() - from.nanos()), Optional.empty()));
    }
    // A method that starves while others proceed may be what the comparison is about.
    if (measured.stream().allMatch(each -> each.rate().isNone())) {
      throw attempt.failed(
          "completed no call of %s in the measured %s; if its work was already done, give it more work or a shorter --warm-up, otherwise use a longer --duration"
              .formatted(methods(), Figures.duration(to.nanos() - from.nanos())));
    }
    return new Reading(measured, start.plusNanos(from.nanos()), start.plusNanos(to.nanos()));
  }

  private Line awaitCall(Attempt attempt) throws DataException, InterruptedException {
    long deadline = System.nanoTime() + source.startNanos();
    while (true) {
      boolean ended = attempt.application().waitFor(LOOK_NANOS);
      Optional<Line> first = file.lines().stream().filter(Line::hasCalls).findFirst();
      if (first.isPresent()) {
        return first.get();
      }
      if (ended) {
        throw attempt.ended(
            " before any call of " + methods() + " completed; check the name in --count");
      }
      if (System.nanoTime() - deadline >= 0) {
        throw attempt.failed(
            "completed no call of %s within %s; check --count, or allow more time with --timeout"
                .formatted(methods(), Figures.duration(source.startNanos())));
      }
    }
  }

  /** Waits for the end of the measured time, or of the program, and returns when that was. */
  private long awaitEnd(long begin, Attempt attempt) throws DataException, InterruptedException {
    long end = begin + source.durationNanos();
    long deadline =
        System.nanoTime() + source.warmUpNanos() + source.durationNanos() + PATIENCE_NANOS;
    boolean ended = false;
    while (!ended && file.lines().getLast().nanos() < end) {
      ended = attempt.application().waitFor(LOOK_NANOS);
      if (System.nanoTime() - deadline >= 0) {
        throw attempt.failed(
            "reports no more counts: the agent has written nothing for "
                + Figures.duration(PATIENCE_NANOS)
                + "; check whether the machine is overloaded or its disk is full");
      }
    }
    if (ended && attempt.application().exitCode() != 0) {
      throw attempt.ended(" while its calls were being counted");
    }
    long last = file.lines().getLast().nanos();
    if (last < end && last - begin < Math.min(LEAST_NANOS, source.durationNanos() / 2)) {
      throw attempt.failed(
          "ended %s after its first call, too soon after the warm-up of %s; give it more work or use a shorter --warm-up"
              .formatted(
                  Figures.duration(last - (begin - source.warmUpNanos())),
                  Figures.duration(source.warmUpNanos())));
    }
    return Math.min(end, last);
  }

  private String methods() {
    return source.methods().stream()
        .map(Counted.Method::method)
        .collect(Collectors.joining(" or "));
  }
}
