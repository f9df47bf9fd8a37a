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
  private final List<Operations> operations;
  private final Instant from = Instant.now();

  PrintedGauge(Printed source) {
    this.source = source;
    operations = source.told().stream().map(told -> Operations.in(told.pattern())).toList();
  }

  @Override
  public void check() {
    // Nothing can be wrong yet.
  }

  @Override
  public void line(String line) {
    operations.forEach(each -> each.line(line));
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
    for (int i = 0; i < operations.size(); i++) {
      Optional<Operations.Amount> printed = operations.get(i).printed();
      if (printed.isEmpty()) {
        throw attempt.failed(
            "printed no number of operations"
                + (operations.size() > 1 ? " for " + source.told().get(i).name() : "")
                + "; have it print '1000 operations' or '99.5 ops/s', or give the pattern of its"
                + " output with --operations REGEX");
      }
      measured.add(new Run.Measured(printed.get().rate(application.wallNanos()), Optional.empty()));
    }
    return new Reading(measured, from, Instant.now());
  }
}
