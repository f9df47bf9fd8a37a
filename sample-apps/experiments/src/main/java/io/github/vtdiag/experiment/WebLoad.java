package io.github.vtdiag.experiment;

import io.github.vtdiag.compare.Clock;
import io.github.vtdiag.compare.Latency;
import io.github.vtdiag.compare.Load;
import io.github.vtdiag.compare.LoadGenerator;
import io.github.vtdiag.compare.LoadResult;
import io.github.vtdiag.experiment.Outcome.Figure;
import io.github.vtdiag.experiment.Outcome.Unit;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The load on a web server, and its length.
 *
 * @param patienceNanos how long to wait for answers after the last request was due
 */
record WebLoad(Load load, long warmUpNanos, long durationNanos, long patienceNanos) {
  static final long SECOND = 1_000_000_000;

  /**
   * The timeout of an answer. It is longer than the longest load: an answer that comes late is
   * late, and no error.
   */
  private static final int ANSWER_MILLIS = 120_000;

  /**
   * The result of the load.
   *
   * @param clientShare the part of the machine's processor time that this process used meanwhile
   * @param problem with the last bad answer
   */
  record Measured(LoadResult result, long nanos, double clientShare, String problem) {

    /** Returns the rate of good answers in the measured time. */
    double perSecond() {
      return (double) result.answered() * SECOND / nanos;
    }

    /** Returns the good answers to requests due in the measured time, though some came after it. */
    long completed() {
      return result.requests() - result.errors() - result.unanswered();
    }

    /** Returns what is wrong with it, as a sentence without its end; empty if nothing is. */
    Optional<String> wrong(String label) {
      if (result.errors() > 0) {
        return Optional.of(
            "%s: %s of %s failed (last: %s)"
                .formatted(
                    label,
                    Figures.count(result.errors()),
                    Figures.count(result.requests(), "request"),
                    problem));
      }
      return result.answered() == 0 && completed() == 0
          ? Optional.of(label + ": no request was answered in time")
          : Optional.empty();
    }

    /** Returns its latencies; the longest beside the article's. */
    List<Figure> latencies(OptionalDouble publishedWorst) {
      List<Figure> figures = new ArrayList<>();
      if (result.latency().isPresent()) {
        Latency latency = result.latency().get();
        figures.add(millis("mean", latency.meanNanos()));
        figures.add(millis("p90", latency.p90Nanos()));
        figures.add(millis("p95", latency.p95Nanos()));
        figures.add(millis("p99", latency.p99Nanos()));
        figures.add(new Figure("worst", Unit.MILLIS, latency.longestNanos() / 1e6, publishedWorst));
      }
      return figures;
    }

    private static Figure millis(String name, long nanos) {
      return Figure.of(name, Unit.MILLIS, nanos / 1e6);
    }
  }

  /** The first answer loads classes that the others use. */
  Measured run(Serving server, String path) throws DataException, InterruptedException {
    try (WebTarget target = new WebTarget(server.port(), path, ANSWER_MILLIS)) {
      // The first answer needs classes that are loaded for the others.
      if (!target.send()) {
        throw new DataException(path + " gave no good response: " + target.problem());
      }
      long begin = System.nanoTime();
      long processor = processorNanos();
      LoadResult result =
          new LoadGenerator(load, target, Clock.SYSTEM, warmUpNanos, durationNanos)
              .run(patienceNanos, () -> !server.isAlive());
      double available =
          (double) (System.nanoTime() - begin) * Runtime.getRuntime().availableProcessors();
      if (!server.isAlive()) {
        throw new DataException("the server of " + path + " ended under load");
      }
      return new Measured(
          result, durationNanos, (processorNanos() - processor) / available, target.problem());
    }
  }

  private static long processorNanos() {
    return ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
  }
}
