package io.github.vtdiag.compare;

import io.github.vtdiag.compare.Plan.Source.Printed;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Waits for a program to end, and finds its figures in its output. */
final class PrintedGauge implements Gauge {
  private final Printed source;
  private final List<Measure> measures;
  private final Instant from = Instant.now();

  /** A measure, and what the program prints of it. */
  private record Measure(String name, Operations operations) {}

  PrintedGauge(Printed source) {
    this.source = source;
    measures =
        source.told().stream()
            .map(told -> new Measure(told.name(), Operations.in(told.pattern())))
            .toList();
  }

  @Override
  public void check() {
    // Nothing can be wrong yet.
  }

  @Override
  public void line(String line) {
    measures.forEach(each -> each.operations.line(line));
  }

  @Override
  public Reading read(Attempt attempt) throws DataException, InterruptedException {
    attempt.at("running");
    MeasuredProcess application = attempt.application();
    if (!application.waitFor(source.timeoutNanos())) {
      throw attempt.failed(
          "did not finish within "
              + Figures.duration(source.timeoutNanos())
              + "; reduce its work, allow more time with --timeout, or measure it while it runs"
              + " with --http or --count");
    }
    if (application.exitCode() != 0) {
      throw attempt.ended("");
    }
    List<Run.Measured> measured = new ArrayList<>();
    for (Measure measure : measures) {
      Optional<Operations.Amount> printed = measure.operations.printed();
      if (printed.isEmpty()) {
        throw attempt.failed(
            "printed no number of operations"
                + (measures.size() > 1 ? " for " + measure.name : "")
                + "; have it print '1000 operations' or '99.5 ops/s', or give the pattern of its"
                + " output with --operations REGEX");
      }
      measured.add(
          new Run.Measured(
              measure.name, printed.get().rate(application.wallNanos()), Optional.empty()));
    }
    return new Reading(measured, from, Instant.now());
  }
}
