package io.github.vtdiag.compare;

import io.github.vtdiag.compare.Plan.Source.Http;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Figures;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sends requests to a server, to all targets at the same time. */
final class HttpGauge implements Gauge {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration FIRST_ANSWER_TIMEOUT = Duration.ofSeconds(2);
  private static final int CONNECT_MILLIS = 500;

  /** The lowest port that Linux chooses for a program that asks for none. */
  private static final int FIRST_CHOSEN = 32768;

  private static final long ASK_AGAIN_NANOS = 50_000_000;

  /** The time after which an error status is taken for the answer, if no time-out was asked for. */
  private static final long SAME_ERROR_NANOS = 5_000_000_000L;

  /** The statuses that say "later": those of a server that is not ready yet. */
  private static final Set<Integer> LATER = Set.of(408, 425, 429, 503);

  /** The time to wait for responses after the last request was due. */
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private final Http source;

  /**
   * A target under load.
   *
   * @param problem the last one with a request; empty if there was none
   */
  private record TargetResult(Http.Target target, LoadResult result, String problem) {}

  HttpGauge(Http source) {
    this.source = source;
  }

  @Override
  public void check() throws DataException {
    for (Http.Target target : source.targets()) {
      if (listens(target.uri())) {
        throw new DataException(
            target.uri()
                + ": the port is already in use, so something else would be measured; stop it or"
                + " use another port");
      }
    }
  }

  private static boolean listens(URI uri) {
    int port = uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equals("https") ? 443 : 80;
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(uri.getHost(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void line(String line) {
    // Only its responses count.
  }

  @Override
  public Reading read(Attempt attempt) throws DataException, InterruptedException {
    attempt.at("waiting for a response");
    long deadline = System.nanoTime() + source.startNanos();
    for (Http.Target target : source.targets()) {
      awaitAnswer(target.uri(), deadline, attempt);
    }
    attempt.at("warming up and measuring");
    Instant from = Instant.now().plusNanos(source.warmUpNanos());
    List<Run.Measured> measured = new ArrayList<>();
    for (TargetResult loaded : load(attempt)) {
      LoadResult result = loaded.result;
      measured.add(
          new Run.Measured(
              loaded.target.name(),
              Rate.of((double) result.answered(), source.durationNanos()),
              Optional.of(
                  new Run.Requests(
                      result.requests(), result.errors(), result.unanswered(), result.latency()))));
    }
    return new Reading(measured, from, from.plusNanos(source.durationNanos()));
  }

  private void awaitAnswer(URI uri, long deadline, Attempt attempt)
      throws DataException, InterruptedException {
    String problem = "the other URLs did not respond";
    int status = 0;
    long since = System.nanoTime();
    try (HttpTarget first = new HttpTarget(uri, FIRST_ANSWER_TIMEOUT)) {
      while (System.nanoTime() - deadline < 0) {
        if (first.send()) {
          return;
        }
        problem = first.problem();
        if (first.errorStatus() != status) {
          status = first.errorStatus();
          since = System.nanoTime();
        }
        if (status != 0) {
          attempt.at("waiting for a good response (status " + status + ")");
          checkStatus(uri, status, System.nanoTime() - since, attempt);
        }
        if (attempt.application().waitFor(ASK_AGAIN_NANOS)) {
          throw attempt.ended(" before it responded at " + uri + movingPort(uri));
        }
      }
    }
    throw attempt.failed(
        "gave no good response at %s within %s (last: %s); check the URL, or allow more time with --timeout"
            .formatted(uri, Figures.duration(source.startNanos()), problem));
  }

  private void checkStatus(URI uri, int status, long nanos, Attempt attempt) throws DataException {
    if (!source.patient() && !LATER.contains(status) && nanos >= SAME_ERROR_NANOS) {
      throw attempt.failed(
          "responded at %s with status %d for %s; check the URL, or, if the server needs longer to get ready, say how long with --timeout"
              .formatted(uri, status, Figures.duration(SAME_ERROR_NANOS)));
    }
  }

  private List<TargetResult> load(Attempt attempt) throws DataException, InterruptedException {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<TargetResult>> running =
          executor.invokeAll(
              source.targets().stream()
                  .map(target -> (Callable<TargetResult>) () -> load(target, attempt))
                  .toList());
      List<TargetResult> results = new ArrayList<>();
      for (Future<TargetResult> each : running) {
        results.add(each.get());
      }
      if (!attempt.application().isAlive()) {
        attempt.application().waitFor(0);
        throw attempt.ended(" under load");
      }
      check(results, attempt);
      return results;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private TargetResult load(Http.Target target, Attempt attempt) throws InterruptedException {
    try (HttpTarget connection = new HttpTarget(target.uri(), ANSWER_TIMEOUT)) {
      LoadGenerator generator =
          new LoadGenerator(
              source.load(),
              connection,
              Clock.SYSTEM,
              source.warmUpNanos(),
              source.durationNanos());
      LoadResult result = generator.run(PATIENCE_NANOS, () -> !attempt.application().isAlive());
      return new TargetResult(target, result, connection.problem());
    }
  }

  private void check(List<TargetResult> results, Attempt attempt) throws DataException {
    for (TargetResult loaded : results) {
      LoadResult result = loaded.result;
      if (result.errors() > source.maxErrors() * result.requests()) {
        throw attempt.failed(
            "failed %s of %s%s (last: %s), more than --max-errors %s allows; reduce the load with --users or --rate, or fix the server"
                .formatted(
                    Figures.count(result.errors()),
                    Figures.count(result.requests(), "request"),
                    results.size() > 1 ? " to " + loaded.target.uri() : "",
                    loaded.problem,
                    Figures.percent(source.maxErrors())));
      }
      if (source.load() instanceof Load.Open && result.latency().isEmpty()) {
        throw attempt.failed(
            "had no request scheduled in the measured %s; use a longer --duration or a higher --rate"
                .formatted(Figures.duration(source.durationNanos())));
      }
    }
    // A URL that starves while others are answered may be what the comparison is about.
    if (results.stream().allMatch(loaded -> loaded.result.answered() == 0)) {
      throw attempt.failed(
          "completed no request in the measured %s; use a longer --duration"
              .formatted(Figures.duration(source.durationNanos())));
    }
  }

  /** Returns what to do if the port is one that the system chose: it may choose another. */
  static String movingPort(URI uri) {
    return uri.getPort() >= FIRST_CHOSEN
        ? " (if it takes another port at each start, give it a fixed one)"
        : "";
  }
}
